import { ownOrigin } from '../loading/own_origin.js';

/** Numbers, and what is long and has a digit in it: UUIDs, hashes, tokens. */
const PERSONAL = /^\d+$|^(?=.*\d)[\w-]{16,}$/;

const EMAIL = /[^@]@[^@]+\.[a-z]{2,}/i;

/** The address of an inline script is its page's. */
const SCRIPT = /\.([cm]?[jt]sx?|wasm)$/i;

/** What a part of a path may be made of: `4711.html`, tokens of three, `key=value`. */
const BETWEEN = /[.,;:=~+!$'()*&]/;

/**
 * What is left of an address may be stored: no query, no fragment, no user name, and of a page's path nothing that could tell one person from
 * another. Of addresses that are no files, such as `blob:` and those of extensions, only the scheme.
 * @param {string} url
 * @param {'page' | 'script'} kind scripts keep their path, for their source maps
 * @returns {string}
 */
export function anonymizeUrl(url, kind) {
  if (!isUrl(url)) return '';
  const { protocol, origin, pathname } = new URL(url);
  if (protocol === 'file:') return `file:///${pathname.slice(pathname.lastIndexOf('/') + 1)}`;
  if (!/^https?:$/.test(protocol)) return protocol;
  if (kind === 'script') return origin + pathname;
  const path = pathname.split('/').map((part) => (isPersonal(part) ? ':id' : part));
  return origin + path.join('/');
}

/** @param {string} url of a trace's resource @returns {'page' | 'script'} */
export function kindOf(url) {
  if (!isUrl(url)) return 'script';
  const { origin, pathname } = new URL(url);
  return origin === ownOrigin() && !SCRIPT.test(pathname) ? 'page' : 'script';
}

/** @param {string} part of a path */
function isPersonal(part) {
  const text = decoded(part);
  return EMAIL.test(text) || text.split(BETWEEN).some((piece) => PERSONAL.test(piece));
}

/** @param {string} part @returns {string} as it is, if it has a % of its own */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** @param {string} url */
function isUrl(url) {
  try {
    return Boolean(new URL(url));
  } catch {
    return false;
  }
}
