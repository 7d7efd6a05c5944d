module.exports = require('./rolldown.js').default;
