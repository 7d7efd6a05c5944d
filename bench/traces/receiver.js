import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { CLI } from '../lib/folders.js';

/** @typedef {import('node:child_process').ChildProcess} ChildProcess */

/** `polyprof collect` in a process that can be killed and started anew on the same port. */
export class Receiver {
  #options;
  #child;
  #port;

  /** @param {string[]} options @param {ChildProcess} child @param {number} port */
  constructor(options, child, port) {
    this.#options = options;
    this.#child = child;
    this.#port = port;
  }

  /** @param {string} folder in which it keeps traces @param {string[]} options more of them @returns {Promise<Receiver>} once it listens */
  static async start(folder, options) {
    const all = ['--out', folder, ...options];
    const { child, port } = await listening([...all, '--port', '0']);
    return new Receiver(all, child, port);
  }

  get port() {
    return this.#port;
  }

  /** By `kill -9`; starts another one. */
  async replace() {
    await this.#end('SIGKILL');
    ({ child: this.#child } = await listening([...this.#options, '--port', String(this.#port)]));
  }

  /** @returns {Promise<number | null>} its exit code */
  stop() {
    return this.#end('SIGTERM');
  }

  /** @param {NodeJS.Signals} signal @returns {Promise<number | null>} */
  async #end(signal) {
    const closed = once(this.#child, 'close');
    this.#child.kill(signal);
    return (await closed)[0];
  }
}

/** @param {string[]} options @returns {Promise<{child: ChildProcess, port: number}>} */
async function listening(options) {
  const child = spawn(process.execPath, [CLI, 'collect', ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // Also when the bench fails.
  process.on('exit', () => child.kill());
  for await (const line of createInterface(child.stdout)) {
    const [, port] = /^listening on http:.*:(\d+),/.exec(line) ?? [];
    if (port) return { child, port: Number(port) };
  }
  throw new Error('the receiver did not start');
}
