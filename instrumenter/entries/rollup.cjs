module.exports = require('./rollup.js').default;
