module.exports = require('../../dist/plugin/vite.js').default;
