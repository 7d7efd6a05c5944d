import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { deserialize, serialize } from 'node:v8';
import { writeFileAtomically } from './files/write_file.js';

/** What was not used for so long is removed. */
const MAX_AGE_MS = 30 * 24 * 3600 * 1000;

/** Of all results together; beyond that those go that were not used for longest. */
const MAX_BYTES = 500e6;

/** After so many bytes more, it is looked whether something is to go. */
const PRUNE_EVERY_BYTES = 50e6;

/** In the package: the thread that does all of it, in a single file (plugin/start_thread.cjs). */
const BUNDLE = 'chunk_thread.cjs';

/** What is kept here: a user's folder may hold other things. */
const OWN_NAME = /^[0-9a-f]{64}\.bin$/;

/** See `ownCode`. @type {string | undefined} */
let ownDigest;

/**
 * Results of scripts that were instrumented before, by all that they depend on: the script, its options, what is the same for all scripts of a run, and our own code.
 *
 * @template {object} Task a script with its options, as threads may be sent
 * @template Result
 */
export class ResultCache {
  #folder;
  #sameForAll;
  #maxBytes;
  /** Digest of that, and of our code. @type {string | undefined} */
  #common;
  #bytesUntilPruned = 0;

  /**
   * @param {string | null} folder null: nothing is kept
   * @param {unknown} [sameForAll] scripts, as a calibration; JSON has all of it
   * @param {number} [maxBytes] of what is kept
   */
  constructor(folder, sameForAll = null, maxBytes = MAX_BYTES) {
    this.#folder = folder;
    this.#sameForAll = sameForAll;
    this.#maxBytes = maxBytes;
  }

  /** @param {Task} task @returns {Result | null} */
  read(task) {
    if (!this.#folder) return null;
    const file = this.#file(task);
    try {
      const result = deserialize(fs.readFileSync(file));
      const now = new Date();
      fs.utimesSync(file, now, now);
      return result;
    } catch {
      // Not there, or broken: it is made anew.
      return null;
    }
  }

  /** @param {Task} task @param {Result} result */
  write(task, result) {
    if (!this.#folder) return;
    try {
      const bytes = serialize(result);
      writeFileAtomically(this.#file(task), bytes);
      this.#bytesUntilPruned -= bytes.length;
      if (this.#bytesUntilPruned < 0) this.#prune();
    } catch {
      // A folder that cannot be written to makes the next run slower, nothing else.
      this.#folder = null;
    }
  }

  /** Removes what has not been used for a month, and what is too much. */
  #prune() {
    this.#bytesUntilPruned = PRUNE_EVERY_BYTES;
    let room = this.#maxBytes;
    for (const { file, mtimeMs, size } of this.#kept()) {
      room -= size;
      if (room < 0 || Date.now() - mtimeMs > MAX_AGE_MS) fs.rmSync(file, { force: true });
    }
  }

  /** The last used one first. @returns {{file: string, mtimeMs: number, size: number}[]} */
  #kept() {
    const folder = String(this.#folder);
    return fs
      .readdirSync(folder)
      .filter((name) => OWN_NAME.test(name))
      .map((name) => path.join(folder, name))
      .flatMap((file) => {
        // Another process may have removed it.
        const about = fs.statSync(file, { throwIfNoEntry: false });
        return about ? [{ file, mtimeMs: about.mtimeMs, size: about.size }] : [];
      })
      .sort((a, b) => b.mtimeMs - a.mtimeMs);
  }

  /** @param {Task} task */
  #file(task) {
    this.#common ??= ownCode() + digestOf(JSON.stringify(this.#sameForAll));
    const hash = createHash('sha256').update(this.#common);
    for (const [name, value] of Object.entries(task)) {
      // Code and maps are long: they are not copied. All else may have sets in it, which JSON has not.
      const bytes = typeof value === 'string' ? value : serialize(value);
      hash.update(`${name} ${typeof value} ${bytes.length}:`).update(bytes);
    }
    return path.join(String(this.#folder), `${hash.digest('hex')}.bin`);
  }
}

/** @param {string} text @returns {string} */
function digestOf(text) {
  return createHash('sha256').update(text).digest('hex');
}

/** @returns {string} digest of the instrumenter's own files, and of the versions of what it uses: others may make something else */
function ownCode() {
  if (ownDigest) return ownDigest;
  const hash = createHash('sha256');
  for (const file of ownFiles(fileURLToPath(new URL('.', import.meta.url))))
    hash.update(fs.readFileSync(file));
  return (ownDigest = hash.digest('hex'));
}

/** @param {string} folder with this file in it */
function ownFiles(folder) {
  const bundle = path.join(folder, BUNDLE);
  if (fs.existsSync(bundle)) return [bundle];
  const names = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  return [...names.filter((name) => name.endsWith('.js')), '../package.json'].map((name) =>
    path.join(folder, name),
  );
}
