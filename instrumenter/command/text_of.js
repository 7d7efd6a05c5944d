import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';

/** @param {import('./plan_files.js').FileJob} job @returns {string | null} with its byte order mark; null: it is not UTF-8 */
export function textOf({ input }) {
  const content = readFileSync(input);
  return isUtf8(content) ? content.toString() : null;
}
