import { withDigests } from '../pages/integrity.js';
import { fileOf } from './twins.js';
import { twinName } from './twin_name.js';

/**
 * An import map by which the modules of the variant with probes find each other.
 * @param {string} json
 * @param {string} page its name within the output folder
 * @param {import('./twins.js').Twins} twins
 * @param {(file: string, algorithm: string) => string} digest of a twin, in base64
 * @returns {string | null} null: it names no script that has a twin, or cannot be read
 */
export function twinImportMap(json, page, twins, digest) {
  let map;
  try {
    map = JSON.parse(json);
  } catch {
    return null;
  }
  const before = JSON.stringify(map);
  const scopes = Object.values(map?.scopes ?? {});
  for (const names of [map?.imports, ...scopes]) if (names) renameIn(names, page, twins);
  for (const [url, value] of Object.entries(map?.integrity ?? {})) {
    const file = fileOf(url, page, twins);
    if (file === null) continue;
    map.integrity[twinName(url)] = withDigests(String(value), (algorithm) =>
      digest(twinName(file), algorithm),
    );
  }
  const after = JSON.stringify(map);
  return after === before ? null : after;
}

/** @param {Record<string, unknown>} names specifiers and addresses @param {string} page @param {import('./twins.js').Twins} twins */
function renameIn(names, page, twins) {
  for (const [specifier, address] of Object.entries(names)) {
    if (typeof address !== 'string') continue;
    if (fileOf(address, page, twins) !== null) names[specifier] = twinName(address);
    if (!specifier.endsWith('/') || !address.endsWith('/')) continue;
    // All of a folder: what has a twin needs a line of its own.
    for (const file of twins.files) {
      const rest = restIn(file, address, page);
      if (rest && names[specifier + rest] === undefined) names[specifier + rest] = address + twinName(rest);
    }
  }
}

/** @param {string} file @param {string} folder address @param {string} page @returns {string} the file's path in the folder; empty: it is not there */
function restIn(file, folder, page) {
  const site = 'http://site.invalid/';
  const start = URL.canParse(folder, site + page) ? new URL(folder, site + page).href : '';
  const address = new URL(encodeURI(file), site).href;
  return start && address.startsWith(start) ? address.slice(start.length) : '';
}
