import path from 'node:path';
import { decodedAddress } from '../pages/decoded_address.js';
import { twinName } from './twin_name.js';

/**
 * @typedef {object} Twins the scripts of a build that are there twice
 * @property {ReadonlySet<string>} files their names within the output folder
 * @property {string} [base] path or URL that the output folder is served at, if scripts and pages name files by that
 */

/**
 * @param {string} reference to a file, as a script or page has it
 * @param {string} from name of that script or page
 * @param {Twins} twins
 * @returns {string | null} which of the files with a twin is meant; null: none
 */
export function fileOf(reference, from, { files, base = '' }) {
  const address = reference.replace(/[?#].*$/s, '');
  const names = [path.posix.join(path.posix.dirname(from), address), address.replace(/^\//, '')];
  // Named from the root. The other one is meant only where a folder of the site is itself served as one.
  if (address.startsWith('/')) names.reverse();
  if (base && address.startsWith(base)) names.push(address.slice(base.length).replace(/^\//, ''));
  return names.map((name) => decodedAddress(name)).find((name) => files.has(name)) ?? null;
}

/**
 * @param {string} from name of the script that refers
 * @param {Twins} twins
 * @returns {(reference: string) => string | null} the reference to the twin of what is referred to; null: that has none
 */
export function twinReferences(from, twins) {
  return (reference) => (fileOf(reference, from, twins) === null ? null : twinName(reference));
}
