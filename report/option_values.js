import { InvalidArgumentError, Option } from 'commander';
import { isFolder } from './reading/is_folder.js';
import { MAX_BYTES, MAX_MAX_BYTES } from './reading/read_bytes.js';
import { isAddress } from './symbols/symbol_finder.js';

/** @import { SymbolFolder } from './symbols/symbol_finder.js' */

/** Options that all commands on traces have. Each throws what the command line tells as wrong usage. */

export const tablesOption = () =>
  new Option(
    '--tables <dir|address>',
    'folder with the function tables, the source maps or the scripts that have or name them, for original names; <pattern>=<dir> for scripts at addresses such as https://cdn.example/*; or the address of the server that has the scripts, as of a site or while developing; may be given again',
  )
    .argParser(toFolders)
    .default([], 'none');

export const maxSizeOption = () =>
  new Option('--max-size <MB>', 'the longest file to read, packed and unpacked')
    .argParser(toMegabytes)
    .default(MAX_BYTES, `${MAX_BYTES / 2 ** 20}`);

export const topOption = () => new Option('--top <n>', 'rows to show').argParser(toCount).default(20);

/** @param {string} text folder, pattern=folder, or address @param {SymbolFolder[]} before @returns {SymbolFolder[]} */
function toFolders(text, before) {
  if (isFolder(text)) return [...before, { folder: text }];
  // Addresses and names of folders may have the sign, too.
  const equals = Array.from(text.matchAll(/(?<=.)=/gs), ({ index }) => index);
  const at = equals.find((index) => isFolder(text.slice(index + 1)));
  if (at !== undefined) return [...before, { folder: text.slice(at + 1), pattern: text.slice(0, at) }];
  if (isAddress(text) && !text.includes('*')) return [...before, { folder: text }];
  throw new InvalidArgumentError('It is not a folder, nor an address such as http://localhost:5173.');
}

/** @param {string} text */
function toCount(text) {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1)
    throw new InvalidArgumentError('It must be a whole number of at least 1.');
  return count;
}

/** @param {string} text @returns {number} bytes */
function toMegabytes(text) {
  const bytes = Number(text) * 2 ** 20;
  if (!(bytes > 0 && bytes <= MAX_MAX_BYTES + 1024))
    throw new InvalidArgumentError(
      'It must be a number above 0 and at most 512: JavaScript has no longer strings.',
    );
  return Math.min(bytes, MAX_MAX_BYTES);
}
