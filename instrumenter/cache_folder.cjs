'use strict';
const fs = require('node:fs');
const path = require('node:path');

/** @returns {string | null} where tools keep such things: in `node_modules`, if the project has that */
function defaultCacheFolder() {
  const modules = path.resolve('node_modules');
  return fs.existsSync(modules) ? path.join(modules, '.cache/polyprof') : null;
}

module.exports = { defaultCacheFolder };
