/** Numbers, addresses of e-mail, and what is long and has a digit in it: UUIDs, hashes, tokens. */
const PERSONAL = /^\d+$|@|%40|^(?=.*\d)[\w-]{16,}$/;

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
  const path = pathname.split('/').map((part) => (PERSONAL.test(part) ? ':id' : part));
  return origin + path.join('/');
}

/** @param {string} url */
function isUrl(url) {
  try {
    return Boolean(new URL(url));
  } catch {
    return false;
  }
}
