module.exports = require('./rspack.js').default;
