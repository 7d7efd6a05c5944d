import { once } from 'node:events';
import { chmod, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream';
import { createGzip } from 'node:zlib';
import { temporaryName } from '../instrumenter/files/temporary_name.js';

/** @import { Writable } from 'node:stream' */

/** Characters that are encoded at once: all of a large text would be in memory twice, and of small ones each would be written by itself. */
const PIECE = 1 << 20;

/** What is open already, or no file: `/dev/stdout` leads to whatever standard output is. */
const DEVICES = /^\/(dev|proc)\//;

/**
 * Writes a file so that it is either there as a whole or not at all, where a link to it leads and for those who might read and write it
 * before. A pipe or a device is written as it is.
 * @param {string} file
 * @param {string | Uint8Array | Iterable<string>} content
 * @param {{gzip?: boolean}} [options] `gzip`: a text is packed
 * @returns {Promise<void>} rejects with an `Error` that names the file
 */
export async function writeWholeFile(file, content, { gzip = false } = {}) {
  const before = await stat(file).catch(() => null);
  const target = before ? await realpath(file) : file;
  const part = temporaryName(target);
  try {
    if (DEVICES.test(resolve(file)) || before?.isFile() === false) {
      await writeFile(file, encoded(content, gzip));
      return;
    }
    await writeFile(part, encoded(content, gzip), { mode: before?.mode });
    // The process's umask may have taken something away.
    if (before) await chmod(part, before.mode);
    await rename(part, target);
  } catch (error) {
    await rm(part, { force: true });
    const message = /** @type {Error} */ (error).message.replaceAll(part, file);
    throw new Error(`${file}: cannot be written (${message})`, { cause: error });
  }
}

/**
 * Writes to a stream no faster than it is read, and leaves it open. Its errors are left for whoever owns it: after one, nothing more is
 * made.
 * @param {Writable} stream
 * @param {string | Uint8Array | Iterable<string>} content
 */
export async function writeToStream(stream, content) {
  for (const piece of content instanceof Uint8Array ? [content] : pieces(content)) {
    if (!stream.writable) return;
    if (!stream.write(piece)) await drained(stream);
  }
}

/** @param {Writable} stream @returns {Promise<void>} when it takes more, or will never do so */
async function drained(stream) {
  try {
    await once(stream, 'drain');
  } catch {
    // Its owner hears of it, too.
  }
}

/** @param {string | Uint8Array | Iterable<string>} content @param {boolean} hasGzip @returns {Iterable<string> | AsyncIterable<Uint8Array> | Uint8Array} */
function encoded(content, hasGzip) {
  if (content instanceof Uint8Array) return content;
  const texts = pieces(content);
  if (!hasGzip) return texts;
  // Whoever reads is told what goes wrong.
  return pipeline(texts, createGzip(), () => {});
}

/** @param {string | Iterable<string>} content @returns {Iterable<string>} large enough to be worth a call, small enough to be in memory */
function pieces(content) {
  return typeof content === 'string' ? slices(content) : joined(content);
}

/** @param {Iterable<string>} texts */
function* joined(texts) {
  let all = '';
  for (const text of texts) {
    all += text;
    if (all.length < PIECE) continue;
    yield* slices(all);
    all = '';
  }
  yield all;
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
