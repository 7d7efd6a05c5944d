module.exports = require('../instrument.js');
