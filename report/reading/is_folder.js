import { statSync } from 'node:fs';

/** @param {string} path @returns {boolean} also of a link to one */
export function isFolder(path) {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
