module.exports = require('../../dist/plugin/rollup.js').default;
