import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { deserialize, serialize } from 'node:v8';
import { writeFileAtomically } from './files/write_file.js';

/** What was not used for so long is removed. */
const MAX_AGE_MS = 30 * 24 * 3600 * 1000;

/** Of all results together; beyond that those go that were not used for longest. */
const MAX_BYTES = 1e9;

/** What is kept here: a user's folder may hold other things. */
const OWN_NAME = /^[0-9a-f]{64}\.bin$/;

/** See `ownCode`. @type {string | undefined} */
let ownDigest;

/**
 * Results of scripts that were instrumented before, by all that they depend on: the script, its options, what is the same for all scripts of a run, and our own code.
 *
 * @template {{code: string}} Task a script with its options, which JSON has all of
 * @template Result
 */
export class ResultCache {
  #folder;
  #sameForAll;
  /** Digest of that, and of our code. @type {string | undefined} */
  #common;
  #hasNew = false;

  /**
   * @param {string | null} folder null: nothing is kept
   * @param {unknown} [sameForAll] scripts, as a calibration; JSON has all of it
   */
  constructor(folder, sameForAll = null) {
    this.#folder = folder;
    this.#sameForAll = sameForAll;
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
      writeFileAtomically(this.#file(task), serialize(result));
      this.#hasNew = true;
    } catch {
      // A folder that cannot be written to makes the next run slower, nothing else.
      this.#folder = null;
    }
  }

  /**
   * If there is more than before, removes what has not been used for a month, and what is too much.
   * @param {number} [maxBytes]
   */
  prune(maxBytes = MAX_BYTES) {
    if (!this.#hasNew) return;
    this.#hasNew = false;
    let room = maxBytes;
    for (const { file, mtimeMs, size } of this.#kept()) {
      room -= size;
      if (room < 0 || Date.now() - mtimeMs > MAX_AGE_MS) fs.rmSync(file, { force: true });
    }
  }

  /** The last used one first. @returns {{file: string, mtimeMs: number, size: number}[]} */
  #kept() {
    const folder = this.#folder;
    if (!folder || !fs.existsSync(folder)) return [];
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
    const { code, ...options } = task;
    this.#common ??= ownCode() + digestOf(JSON.stringify(this.#sameForAll));
    const hash = createHash('sha256').update(this.#common);
    for (const part of [JSON.stringify(options), code]) hash.update(`${part.length}:`).update(part);
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
  const folder = fileURLToPath(new URL('.', import.meta.url));
  const names = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  const hash = createHash('sha256');
  for (const name of [...names.filter((name) => name.endsWith('.js')), '../package.json'])
    hash.update(fs.readFileSync(path.join(folder, name)));
  return (ownDigest = hash.digest('hex'));
}
