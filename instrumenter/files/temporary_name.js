import { createHash } from 'node:crypto';
import { basename, dirname, join } from 'node:path';

/**
 * Where a file is written before it is put in its place.
 * @param {string} file
 * @returns {string} beside it, and no longer than names may be, as one with more than the file's own name might be
 */
export function temporaryName(file) {
  const digest = createHash('sha256').update(basename(file)).digest('hex').slice(0, 16);
  return join(dirname(file), `.${digest}.part-${process.pid}`);
}
