'use strict';
const fs = require('node:fs');
const path = require('node:path');
const { workerData } = require('node:worker_threads');
const { runWithCodeCache } = require('./code_cache.cjs');

// Starts chunk_thread.js. This is CommonJS because Node starts that sooner.

/** In the package: the whole thread, with what it imports. */
const bundle = path.join(__dirname, 'chunk_thread.cjs');

if (fs.existsSync(bundle)) {
  const { cacheFolder } = workerData;
  runWithCodeCache(bundle, cacheFolder && path.join(cacheFolder, 'plugin-thread.code'));
} else {
  import('./chunk_thread.js');
}
