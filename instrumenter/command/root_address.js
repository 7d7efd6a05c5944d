import path from 'node:path';
import { decodedAddress } from '../pages/decoded_address.js';
import { attribute, elements } from '../pages/html_scripts.js';
import { fileOf } from '../variants/twins.js';

/**
 * Where a page finds the output folder. A server may give one page at many addresses, as that of an app with routes, so it is taken from
 * how the page itself names files.
 * @param {string} html
 * @param {string} page its name within the output folder
 * @param {object} site
 * @param {ReadonlySet<string>} site.files names of all that is in the output folder
 * @param {string[]} site.imports what its inline scripts import, as they name it
 * @returns {string | null} goes before a file's name, which is encoded as in a URL; null: unknown
 */
export function rootAddress(html, page, { files, imports }) {
  const tags = elements(html, ['script', 'link']);
  const addresses = tags.flatMap((tag) => attribute(tag, 'src') ?? attribute(tag, 'href') ?? []);
  addresses.push(...imports);
  const roots = addresses.map((address) => rootBy(address, page, files));
  const known = roots.includes('/') ? '/' : roots.find((root) => root !== null);
  if (known !== undefined) return known;
  const base = elements(html, ['base']).flatMap((element) => attribute(element, 'href') ?? [])[0];
  if (base !== undefined) return base === '/' ? '/' : null;
  // A folder that is served below the root of its server.
  return addresses.some((address) => /^\/(?!\/)/.test(address)) ? null : fromPage(page);
}

/** @param {string} address @param {string} page @param {ReadonlySet<string>} files @returns {string | null} null: it is no file of the folder, or not seen from its root */
function rootBy(address, page, files) {
  const file = fileOf(address, page, { files });
  const name = path.posix.normalize(decodedAddress(address.replace(/[?#].*$/s, '')));
  if (file === null || address.startsWith('//')) return null;
  if (name === `/${file}`) return '/';
  if (name.startsWith('/')) return null;
  if (path.posix.join(path.posix.dirname(page), name) === file) return fromPage(page);
  // By the page's `<base>`.
  return '';
}

/** @param {string} page @returns {string} */
const fromPage = (page) => '../'.repeat(page.split('/').length - 1);

/** @param {string} file its name @returns {string} as in a URL */
export const encodedName = (file) => file.split('/').map(encodeURIComponent).join('/');
