'use strict';
const fs = require('node:fs');
const path = require('node:path');
const { runWithCodeCache } = require('./code_cache.cjs');

// Starts chunk_thread.js. This is CommonJS because Node starts that sooner.

/** In the package: the whole thread, with what it imports. */
const bundle = path.join(__dirname, 'chunk_thread.cjs');

if (fs.existsSync(bundle)) {
  const modules = path.resolve('node_modules');
  const folder = fs.existsSync(modules) ? path.join(modules, '.cache/polyprof') : null;
  runWithCodeCache(bundle, folder && path.join(folder, 'plugin-thread.code'));
} else {
  import('./chunk_thread.js');
}
