import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readAllProfiles } from '../../report/reading/read_trace.js';

/** @import { Profile } from '../../report/formats/formats.js' */

export const CLI = fileURLToPath(new URL('../../instrumenter/cli.js', import.meta.url));

/**
 * @typedef {object} Receiver `polyprof collect` as a process
 * @property {string} url
 * @property {number} pid
 * @property {() => string} output so far, of both streams
 * @property {() => void} closeOutput
 * @property {(signal: NodeJS.Signals) => Promise<number | null>} end resolves with the exit code; null: killed
 */

/**
 * @param {string} folder
 * @param {string[]} [options]
 * @param {{fileBlocks?: number}} [limits] `fileBlocks`: no file may be longer than so many kB
 * @returns {Promise<Receiver>} that listens on a free port; rejects with what it says when it ends instead
 */
export async function startReceiver(folder, options = [], { fileBlocks } = {}) {
  const args = [CLI, 'collect', '--out', folder, '--port', '0', ...options];
  // The shell's limit, then itself replaced by Node.
  const child =
    fileBlocks === undefined
      ? spawn(process.execPath, args)
      : spawn('bash', ['-c', `ulimit -f ${fileBlocks}; exec "$0" "$@"`, process.execPath, ...args]);
  const exited = once(child, 'close');
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  after(kill);
  let output = '';
  child.stderr.on('data', (chunk) => (output += chunk));
  const url = await new Promise((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      output += `${line}\n`;
      const [, address] = /^listening on (http:\S+),/.exec(line) ?? [];
      if (address) resolve(address);
    });
    exited.then(([code]) => reject(new Error(`exit code ${code}: ${output}`)));
  });
  return {
    url,
    pid: /** @type {number} */ (child.pid),
    output: () => output,
    closeOutput: () => child.stdout.destroy(),
    async end(signal) {
      child.kill(signal);
      const [code] = await exited;
      process.removeListener('exit', kill);
      return code;
    },
  };
}

/** @param {string} url @param {any} body text and bytes as they are, other things as JSON @param {Record<string, string>} [headers] */
export function send(url, body, headers = {}) {
  const isContent = typeof body === 'string' || body instanceof Uint8Array;
  /** @type {any} */
  const content = isContent ? body : JSON.stringify(body);
  return fetch(url, { method: 'POST', body: content, headers });
}

/** @param {string} folder @returns {Promise<Profile[]>} all that `polyprof report` finds there; throws what it would complain about */
export async function profilesIn(folder) {
  const profiles = [];
  const onError = (/** @type {Error} */ error) => {
    throw error;
  };
  for await (const profile of readAllProfiles([join(folder)], { onError })) profiles.push(profile);
  return profiles;
}
