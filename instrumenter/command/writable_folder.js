import fs from 'node:fs';
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
