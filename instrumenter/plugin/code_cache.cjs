'use strict';
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const { createRequire } = require('node:module');
const path = require('node:path');
const { cachedDataVersionTag } = require('node:v8');
const { Script } = require('node:vm');

/**
 * Node keeps compiled code from 22.8 on (`module.enableCompileCache`); this does so for one file, in every version.
 *
 * A cache file: digest of what the code was compiled from and by, digest of the code, V8's code cache. V8 trusts what it is given, so a file
 * that is not whole must not get there.
 */
const DIGEST_BYTES = 20;

/**
 * Runs a CommonJS file, by code that an earlier run compiled if there is any, and keeps for the next one what this run has compiled when
 * the file's own code returns. Where the cache cannot be read or written, it is as if there were none.
 * @param {string} file absolute
 * @param {string | null} cacheFile null: no cache
 * @returns {boolean} was the code in the cache?
 */
function runWithCodeCache(file, cacheFile) {
  const source = `(function (exports, require, module, __filename, __dirname) {${fs.readFileSync(file, 'utf8')}\n})`;
  const key = digestOf(`${process.version} ${process.arch} ${cachedDataVersionTag()} ${source}`);
  const cachedData = cacheFile === null ? undefined : readCache(cacheFile, key);
  const script = new Script(source, { filename: file, cachedData });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(file), module, file, path.dirname(file));
  const isCached = cachedData !== undefined && script.cachedDataRejected === false;
  if (!isCached && cacheFile !== null) writeCache(cacheFile, key, script.createCachedData());
  return isCached;
}

/** @param {string} file @param {Buffer} key @returns {Buffer | undefined} */
function readCache(file, key) {
  let content;
  try {
    content = fs.readFileSync(file);
  } catch {
    return undefined;
  }
  const data = content.subarray(2 * DIGEST_BYTES);
  return content.subarray(0, 2 * DIGEST_BYTES).equals(Buffer.concat([key, digestOf(data)]))
    ? data
    : undefined;
}

/** @param {string} file @param {Buffer} key @param {Buffer} data */
function writeCache(file, key, data) {
  try {
    // From the package's root: this file is in dist/plugin/, too. Most runs need not load it.
    const { writeFileAtomically } = require('../../instrumenter/files/write_file.js');
    writeFileAtomically(file, Buffer.concat([key, digestOf(data), data]));
  } catch {
    // A folder that cannot be written to makes the next run slower, nothing else.
  }
}

/** @param {string | Buffer} data */
function digestOf(data) {
  return createHash('sha1').update(data).digest();
}

module.exports = { runWithCodeCache };
