import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Which content a folder was made from. Written last: a folder whose making was interrupted has none. */
const KEY_FILE = '.content-key';

/** @param {(string | Uint8Array)[]} parts all that the output depends on @returns {string} */
export function contentKey(parts) {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${part.length}:`).update(part);
  return hash.digest('hex');
}

/**
 * @param {string} folder
 * @param {string} key of what it is to be made from
 * @param {(folder: string) => unknown} make fills the folder, which is new and empty; may be asynchronous
 * @returns {Promise<string>} the folder, made anew unless it was made from the same
 */
export async function cachedFolder(folder, key, make) {
  const keyFile = join(folder, KEY_FILE);
  if (existsSync(keyFile) && readFileSync(keyFile, 'utf8') === key) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await make(folder);
  writeFileSync(keyFile, key);
  return folder;
}
