'use strict';
const fs = require('node:fs');
const path = require('node:path');
// From the package's root: this file is in dist/plugin/, too.
const { defaultCacheFolder } = require('../../instrumenter/cache_folder.cjs');
const { runWithCodeCache } = require('./code_cache.cjs');

// Starts chunk_thread.js. This is CommonJS because Node starts that sooner.

/** In the package: the whole thread, with what it imports. */
const bundle = path.join(__dirname, 'chunk_thread.cjs');

if (fs.existsSync(bundle)) {
  const folder = defaultCacheFolder();
  runWithCodeCache(bundle, folder && path.join(folder, 'plugin-thread.code'));
} else {
  import('./chunk_thread.js');
}
