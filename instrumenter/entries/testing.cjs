module.exports = require('../../testing/index.js');
