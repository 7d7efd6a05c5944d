import { rename, rm, stat, writeFile } from 'node:fs/promises';

/** Characters that are encoded at once: all of a large text would be in memory twice. */
const PIECE = 1 << 20;

/**
 * Writes a file so that it is either there as a whole or not at all. A pipe or a device is written as it is.
 * @param {string} file
 * @param {string | Uint8Array | Iterable<string>} content
 * @returns {Promise<void>} rejects with an `Error` that names the file
 */
export async function writeWholeFile(file, content) {
  const part = `${file}.part-${process.pid}`;
  try {
    if (await isSpecial(file)) {
      await writeFile(file, pieces(content));
      return;
    }
    await writeFile(part, pieces(content));
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    const message = /** @type {Error} */ (error).message.replaceAll(part, file);
    throw new Error(`${file}: cannot be written (${message})`, { cause: error });
  }
}

/** @param {string | Uint8Array | Iterable<string>} content @returns {Iterable<string> | Uint8Array} */
function pieces(content) {
  return typeof content === 'string' ? slices(content) : content;
}

/** @param {string} text */
function* slices(text) {
  for (let begin = 0, end; begin < text.length; begin = end) {
    end = begin + PIECE;
    // Not between the two halves of a character.
    if (text.charCodeAt(end - 1) >> 10 === 0xd800 >> 10) end++;
    yield text.slice(begin, end);
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
