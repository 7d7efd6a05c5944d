module.exports = require('./babel.js').default;
