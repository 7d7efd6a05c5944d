import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';
import { parseHTML } from 'linkedom';

/**
 * Runs a workload's bundle in Node as a page would: as a classic script, with a document (linkedom's) to work on.
 * @param {string} folder that has `<name>.js` and `input.json`
 * @param {string} name
 * @param {number} scale
 * @returns {string | Promise<string>} digest
 */
export function runInNode(folder, name, scale) {
  const realm = /** @type {any} */ (globalThis);
  realm.document = parseHTML('<!doctype html><html><body></body></html>').document;
  const file = join(folder, `${name}.js`);
  runInThisContext(readFileSync(file, 'utf8'), { filename: file });
  const input = JSON.parse(readFileSync(join(folder, 'input.json'), 'utf8'));
  return realm.__workload.run(input, scale);
}
