import fs from 'node:fs';
import path from 'node:path';
import { temporaryName } from './temporary_name.js';

/** A reader sees the file before or after, never half of it. @param {string} file @param {string | Uint8Array} content */
export function writeFileAtomically(file, content) {
  putInPlace(file, (temporary) => fs.writeFileSync(temporary, content));
}

/** Ditto. The file is never in memory. @param {string} from @param {string} to */
export function copyFileAtomically(from, to) {
  putInPlace(to, (temporary) => {
    fs.writeFileSync(temporary, '');
    const { mode } = fs.statSync(temporary);
    fs.copyFileSync(from, temporary);
    // It came with the mode of the original: servers might not be allowed to read it, or the next run to replace it.
    fs.chmodSync(temporary, mode);
  });
}

/** @param {string} file @param {(temporary: string) => void} write */
function putInPlace(file, write) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const temporary = temporaryName(file);
  try {
    write(temporary);
    fs.renameSync(temporary, file);
  } catch (error) {
    fs.rmSync(temporary, { force: true });
    throw error;
  }
}
