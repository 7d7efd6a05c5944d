import fs from 'node:fs';
import path from 'node:path';
import { UsageError } from './usage_error.js';

/**
 * Makes the folder.
 * @param {string} folder
 * @throws {UsageError} if nothing can be written there
 */
export function makeWritableFolder(folder) {
  try {
    fs.mkdirSync(folder, { recursive: true });
    fs.accessSync(folder, fs.constants.W_OK);
  } catch (error) {
    throw new UsageError(`cannot write to ${folder}: ${/** @type {Error} */ (error).message}`);
  }
}

/** A reader sees the file before or after, never half of it. @param {string} file @param {string | Uint8Array} content */
export function writeFileAtomically(file, content) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const temporary = path.join(path.dirname(file), `.${path.basename(file)}.${process.pid}.tmp`);
  try {
    fs.writeFileSync(temporary, content);
    fs.renameSync(temporary, file);
  } catch (error) {
    fs.rmSync(temporary, { force: true });
    throw error;
  }
}
