import { rename, rm, stat, writeFile } from 'node:fs/promises';

/**
 * Writes a file so that it is either there as a whole or not at all. A pipe or a device is written as it is.
 * @param {string} file
 * @param {string | Uint8Array} content
 * @returns {Promise<void>} rejects with an `Error` that names the file
 */
export async function writeWholeFile(file, content) {
  const part = `${file}.part-${process.pid}`;
  try {
    if (await isSpecial(file)) {
      await writeFile(file, content);
      return;
    }
    await writeFile(part, content);
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    const message = /** @type {Error} */ (error).message.replaceAll(part, file);
    throw new Error(`${file}: cannot be written (${message})`, { cause: error });
  }
}

/** @param {string} file */
async function isSpecial(file) {
  try {
    return !(await stat(file)).isFile();
  } catch {
    return false;
  }
}
