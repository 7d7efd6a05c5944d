module.exports = require('./webpack.js').default;
