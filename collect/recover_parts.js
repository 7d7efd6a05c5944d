import { createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { filesBelow } from '../report/reading/files_below.js';
import { PART, readLines, readPart } from '../report/reading/read_lines.js';
import { TraceError } from '../report/reading/trace_error.js';

/** A part whose end is torn, while what is whole in it is written anew. */
const REWRITTEN = '.rewritten';

/**
 * Completes the files that a receiver which was killed left behind. The last group of lines may be there in part: that was not
 * answered yet, so its senders have it still.
 * @param {string} folder
 * @param {{onFinished: (file: string, traces: number) => void, onProblem: (message: string) => void}} options
 */
export async function recoverParts(folder, { onFinished, onProblem }) {
  for (const path of [...filesBelow(folder)].sort()) {
    if (!basename(path).startsWith('traces-')) continue;
    if (path.endsWith(REWRITTEN)) await rm(path);
    if (!path.endsWith(PART)) continue;
    const file = path.slice(0, -PART.length);
    try {
      const traces = await recover(path, file);
      if (traces > 0) onFinished(file, traces);
    } catch (error) {
      onProblem(`${path}: cannot be completed (${/** @type {Error} */ (error).message})`);
    }
  }
}

/** @param {string} part @param {string} file its name from now on @returns {Promise<number>} traces in it */
async function recover(part, file) {
  const { traces, isWhole } = await wholeLines(part);
  if (traces > 0) {
    const complete = isWhole ? part : file + REWRITTEN;
    if (!isWhole) {
      await pipeline(Readable.from(linesWithEnds(part)), createGzip(), createWriteStream(complete));
    }
    await sync(complete);
    await rename(complete, file);
  }
  await rm(part, { force: true });
  return traces;
}

/** @param {string} part */
async function* linesWithEnds(part) {
  for await (const line of readPart(part)) yield Buffer.concat([line, Buffer.from('\n')]);
}

/** @param {string} part */
async function wholeLines(part) {
  let traces = 0;
  try {
    for await (const line of readLines(part)) traces += Number(line.length > 0);
    return { traces, isWhole: true };
  } catch (error) {
    if (!(error instanceof TraceError)) throw error;
    return { traces, isWhole: false };
  }
}

/** @param {string} file */
async function sync(file) {
  const handle = await open(file, 'r+');
  try {
    await handle.datasync();
  } finally {
    await handle.close();
  }
}
