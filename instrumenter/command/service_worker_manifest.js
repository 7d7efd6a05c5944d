import path from 'node:path';
import { decodedAddress } from '../pages/decoded_address.js';

/** The manifest of Angular's service worker: it serves nothing to new visitors whose files have other digests. */
const MANIFEST = /(^|\/)ngsw\.json$/;

/** @param {string} name of a file @returns {boolean} */
export const isManifest = (name) => MANIFEST.test(name);

/**
 * @param {string} json
 * @param {(name: string) => string | undefined} hashOf SHA-1 of a file that has changed, by its name relative to the manifest's folder
 * @returns {string} with the digests of what has changed; as it was if it is no such manifest
 */
export function updatedManifest(json, hashOf) {
  let manifest;
  try {
    manifest = JSON.parse(json);
  } catch {
    return json;
  }
  const { index, hashTable } = Object(manifest);
  if (typeof index !== 'string' || typeof hashTable !== 'object' || hashTable === null) return json;
  // Addresses begin with the path that the site is served at.
  const base = path.posix.dirname(index);
  let isChanged = false;
  for (const url of Object.keys(hashTable)) {
    const hash = hashOf(decodedAddress(path.posix.relative(base, url)));
    if (hash === undefined) continue;
    hashTable[url] = hash;
    isChanged = true;
  }
  return isChanged ? JSON.stringify(manifest, null, 2) : json;
}
