module.exports = require('../../dist/plugin/rolldown.js').default;
