module.exports = require('./esbuild.js').default;
