module.exports = require('../../dist/plugin/esbuild.js').default;
