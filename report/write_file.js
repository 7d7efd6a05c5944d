import { rename, rm, writeFile } from 'node:fs/promises';

/**
 * Writes a file so that it is either there as a whole or not at all.
 * @param {string} file
 * @param {string | Uint8Array} content
 * @returns {Promise<void>} rejects with an `Error` that names the file
 */
export async function writeWholeFile(file, content) {
  const part = `${file}.part-${process.pid}`;
  try {
    await writeFile(part, content);
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    const message = /** @type {Error} */ (error).message.replaceAll(part, file);
    throw new Error(`${file}: cannot be written (${message})`, { cause: error });
  }
}
