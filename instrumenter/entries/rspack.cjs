module.exports = require('../../dist/plugin/rspack.js').default;
