import { createHash } from 'node:crypto';
import { decodedAddress } from '../instrumenter/pages/decoded_address.js';

/** What parts of a site are called. */

/** @param {string} url @param {string} text */
export function tableName(url, text) {
  return `${createHash('sha256').update(url).update('\0').update(text).digest('hex').slice(0, 20)}.ppft`;
}

/** Of a page or script: its path. @param {string} url @param {string} index what a folder's address stands for */
export function nameOf(url, index) {
  const path = pathOf(url).slice(1);
  return path.endsWith('/') || path === '' ? path + index : path;
}

/**
 * How a script without a source map appears. One that a program makes, such as `load.php?modules=a`, is known by its query alone; of a file it
 * says at most which version it is.
 * @param {string} url
 */
export function scriptNameOf(url) {
  const name = nameOf(url, 'script.js');
  return /\.[cm]?[jt]sx?$/.test(name) ? name : name + decodedAddress(new URL(url).search);
}

/** @param {string} url */
export function pathOf(url) {
  return decodedAddress(new URL(url).pathname);
}

/** @param {string} url */
export function withoutQuery(url) {
  return url.replace(/\?.*$/s, '');
}
