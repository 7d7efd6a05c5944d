module.exports = require('../../report/index.js');
