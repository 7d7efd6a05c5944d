module.exports = require('./instrumenter.js');
