module.exports = require('./vite.js').default;
