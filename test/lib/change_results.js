import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';

/**
 * Of scripts that were instrumented before, so that what the next run gives shows where it has it from.
 * @param {string} folder where results are kept
 * @param {(result: any) => void} change
 */
export function changeResults(folder, change) {
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.bin'))) {
    const result = deserialize(readFileSync(join(folder, name)));
    change(result);
    writeFileSync(join(folder, name), serialize(result));
  }
}
