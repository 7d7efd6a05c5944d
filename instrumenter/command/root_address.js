import path from 'node:path';
import { decodedAddress } from '../pages/decoded_address.js';
import { attribute, elements } from '../pages/html_scripts.js';
import { fileOf } from '../variants/twins.js';

/** Links to what a page loads. Others are to pages, as its feed or its canonical address, which may be anywhere. */
const LOADED = /\b(stylesheet|preload|modulepreload|icon|manifest)\b/i;

/** Stands for where the output folder is served, so that addresses can be resolved as browsers do. */
const FOLDER = new URL('http://polyprof.invalid/output-folder/');

/**
 * Where a page finds the output folder. A server may give one page at many addresses, as that of an app with routes, so it is taken from
 * how the page itself names files.
 * @param {string} html
 * @param {string} page its name within the output folder
 * @param {object} site
 * @param {ReadonlySet<string>} site.files names of all that is in the output folder
 * @param {string[]} site.imports what its inline scripts import, as they name it
 * @returns {{root: string, isKnown: boolean}} the root goes before a file's name, which is encoded as in a URL; not known: it is a guess
 */
export function rootAddress(html, page, { files, imports }) {
  const tags = elements(html, ['script', 'link']).filter(
    (tag) => attribute(tag, 'src') !== undefined || LOADED.test(attribute(tag, 'rel') ?? ''),
  );
  const addresses = tags.flatMap((tag) => attribute(tag, 'src') ?? attribute(tag, 'href') ?? []);
  addresses.push(...imports);
  const base = elements(html, ['base']).flatMap((element) => attribute(element, 'href') ?? [])[0];
  const place = base === undefined ? page : placeBy(base, page);
  const roots = addresses.map((address) => rootBy(address, place ?? page, files));
  const known = roots.includes('/') ? '/' : roots.find((root) => root !== null);
  if (known !== undefined) return { root: known, isKnown: true };
  if (base === '/') return { root: '/', isKnown: true };
  if (place === null) return { root: '', isKnown: false };
  // Files of others from the root: the folder is served below it.
  const isBelow = addresses.some((address) => /^\/(?!\/)/.test(address));
  return { root: fromPage(place), isKnown: !isBelow };
}

/**
 * @param {string} base of a page
 * @param {string} page its name
 * @returns {string | null} the name of one that finds the same files without a `<base>`; null: no page in the output folder, for all we know
 */
function placeBy(base, page) {
  const from = new URL(encodedName(page), FOLDER);
  if (!URL.canParse(base, from)) return null;
  const { origin, pathname } = new URL(base, from);
  if (origin !== FOLDER.origin || !pathname.startsWith(FOLDER.pathname)) return null;
  return decodedAddress(pathname.slice(FOLDER.pathname.length).replace(/[^/]*$/, 'page.html'));
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
