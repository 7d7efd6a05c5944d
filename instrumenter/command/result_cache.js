import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { deserialize, serialize } from 'node:v8';
import { writeFileAtomically } from '../files/write_file.js';

/**
 * Results of scripts that were instrumented before, by all that they depend on: the script, its options, the calibration, and our own code.
 *
 * @typedef {import('./script_task.js').ScriptTask} ScriptTask
 * @typedef {import('./script_task.js').ScriptResult} ScriptResult
 */

/** What was not used for so long is removed. */
const MAX_AGE_MS = 30 * 24 * 3600 * 1000;

/** What is kept here: a user's folder may hold other things. */
const OWN_NAME = /^[0-9a-f]{64}\.bin$/;

export class ResultCache {
  #folder;
  #calibration;
  /** Of what is the same for all scripts. @type {string | undefined} */
  #common;

  /**
   * @param {string | null} folder null: nothing is kept
   * @param {import('../budget/calibration.js').Calibration} [calibration]
   */
  constructor(folder, calibration) {
    this.#folder = folder;
    this.#calibration = calibration;
  }

  /** @param {ScriptTask} task @returns {ScriptResult | null} */
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

  /** @param {ScriptTask} task @param {ScriptResult} result */
  write(task, result) {
    if (!this.#folder) return;
    try {
      writeFileAtomically(this.#file(task), serialize(result));
    } catch {
      // A folder that cannot be written to makes the next run slower, nothing else.
      this.#folder = null;
    }
  }

  /** Removes what has not been used for a month. */
  prune() {
    if (!this.#folder || !fs.existsSync(this.#folder)) return;
    for (const name of fs.readdirSync(this.#folder)) {
      if (!OWN_NAME.test(name)) continue;
      const file = path.join(this.#folder, name);
      const age = Date.now() - (fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
      if (age > MAX_AGE_MS) fs.rmSync(file, { force: true });
    }
  }

  /** @param {ScriptTask} task */
  #file(task) {
    const { code, inputMap, ...options } = task;
    this.#common ??= ownCode() + digestOf(this.#calibration);
    const hash = createHash('sha256').update(this.#common);
    for (const part of [JSON.stringify(options), JSON.stringify(inputMap), code])
      hash.update(`${part.length}:`).update(part);
    return path.join(String(this.#folder), `${hash.digest('hex')}.bin`);
  }
}

/** @param {object | undefined} calibration @returns {string} */
function digestOf(calibration) {
  return createHash('sha256')
    .update(JSON.stringify(calibration ?? null))
    .digest('hex');
}

/** @returns {string} digest of the instrumenter's own files, and of the versions of what it uses: others may make something else */
function ownCode() {
  const folder = fileURLToPath(new URL('../', import.meta.url));
  const names = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  const hash = createHash('sha256');
  for (const name of [...names.filter((name) => name.endsWith('.js')), '../package.json'])
    hash.update(fs.readFileSync(path.join(folder, name)));
  return hash.digest('hex');
}
