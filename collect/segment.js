import { randomBytes } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PART } from '../report/reading/read_lines.js';

/**
 * A file of gzip members, one after the other, which has its name only when it is complete.
 */
export class Segment {
  #file;
  #handle;
  #fsync;
  /** Up to here it consists of whole members. */
  bytes = 0;
  traces = 0;
  #isTorn = false;

  /** @param {string} file name without `.part` @param {import('node:fs/promises').FileHandle} handle @param {boolean} fsync */
  constructor(file, handle, fsync) {
    this.#file = file;
    this.#handle = handle;
    this.#fsync = fsync;
  }

  /**
   * @param {string} folder of the partition; made if it is not there
   * @param {Date} now
   * @param {boolean} fsync
   */
  static async create(folder, now, fsync) {
    await mkdir(folder, { recursive: true });
    // No character that a file system or an object store minds, and names of several receivers differ.
    const time = now.toISOString().replace(/[-:]/g, '');
    const file = join(folder, `traces-${time}-${randomBytes(4).toString('hex')}.ndjson.gz`);
    const handle = await open(file + PART, 'wx');
    if (fsync) {
      // The hour's folder, the day's and all of them.
      for (const each of [folder, dirname(folder), dirname(dirname(folder))]) await syncFolder(each);
    }
    return new Segment(file, handle, fsync);
  }

  get file() {
    return this.#file;
  }

  /**
   * All or nothing: what was written of a member that does not fit is taken away again.
   * @param {Uint8Array} member
   * @param {number} traces that are in it
   */
  async append(member, traces) {
    try {
      for (let done = 0; done < member.length;) {
        const left = member.length - done;
        done += (await this.#handle.write(member, done, left, this.bytes + done)).bytesWritten;
      }
      if (this.#fsync) await this.#handle.datasync();
    } catch (error) {
      this.#isTorn = true;
      await this.#handle.truncate(this.bytes);
      this.#isTorn = false;
      throw error;
    }
    this.bytes += member.length;
    this.traces += traces;
  }

  /** Gives the file its name; without a trace in it, there is none. */
  async finish() {
    try {
      if (this.#isTorn) throw new Error('its end is torn');
      if (this.traces > 0) await this.#handle.datasync();
    } finally {
      await this.#handle.close();
    }
    if (this.traces === 0) return rm(this.#file + PART, { force: true });
    await rename(this.#file + PART, this.#file);
    if (this.#fsync) await syncFolder(dirname(this.#file));
  }
}

/** So that names survive a loss of power. @param {string} folder */
async function syncFolder(folder) {
  // Windows opens no folders, and needs it not.
  if (process.platform === 'win32') return;
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
