import { createHash } from 'node:crypto';
import { decodedAddress } from '../instrumenter/pages/decoded_address.js';

/** What parts of a site are called. */

/** @param {string} url @param {string} text */
export function tableName(url, text) {
  return `${createHash('sha256').update(url).update('\0').update(text).digest('hex').slice(0, 20)}.ppft`;
}

/** How a script or page without a source map appears. @param {string} url @param {string} index what a folder's address stands for */
export function nameOf(url, index) {
  const path = pathOf(url).slice(1);
  return path.endsWith('/') || path === '' ? path + index : path;
}

/** @param {string} url */
export function pathOf(url) {
  return decodedAddress(new URL(url).pathname);
}

/** @param {string} url */
export function withoutQuery(url) {
  return url.replace(/\?.*$/s, '');
}
