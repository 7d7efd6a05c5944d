module.exports = require('../../dist/plugin/webpack.js').default;
