import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { formatCount } from '../report/numbers.js';
import { lockFolder } from './folder_lock.js';
import { RateLimit } from './rate_limit.js';
import { createReceiver } from './receiver.js';
import { recoverParts } from './recover_parts.js';
import { TraceStore } from './trace_store.js';

/**
 * @typedef {object} Options of `polyprof collect`
 * @property {string} out folder
 * @property {string} host
 * @property {number} port
 * @property {string[]} [origin]
 * @property {number} rate per minute
 * @property {boolean} [trustProxy]
 * @property {number} maxBody bytes
 * @property {boolean} [fsync]
 * @property {number} rotate s
 * @property {number} fileSize bytes
 */

/** @typedef {{print: (line: string) => void, complain: (line: string) => void}} Console */

/** How long a request that is being sent may take when the receiver is to end. */
const LAST_REQUESTS_MS = 5000;

/**
 * The life of one trace: body → lines of JSON, checked (trace_lines.js) → with all that came meanwhile one member of a gzip file, written
 * (trace_store.js, segment.js) → 204 → the file gets its name, and is never written again. What a process that was killed left without a
 * name gets one at the next start (recover_parts.js).
 *
 * Resolves when a signal ended it and all is on the disk. Rejects with a system error that names what could not be opened.
 * @param {Options} options
 * @param {Console} console
 */
export async function collect(options, { print, complain }) {
  await mkdir(options.out, { recursive: true });
  const unlock = lockFolder(options.out);
  // Whoever read what is printed may be gone: that is no reason to end.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  const ended = Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]);
  try {
    const onFinished = (/** @type {string} */ file, /** @type {number} */ traces) =>
      print(`${file}: ${formatCount(traces)} ${traces === 1 ? 'trace' : 'traces'}`);
    const onProblem = (/** @type {string} */ message) => complain(`error: ${message}`);
    await recoverParts(options.out, { onFinished, onProblem });
    const store = new TraceStore(options.out, {
      fsync: options.fsync ?? false,
      fileBytes: options.fileSize,
      rotateMs: options.rotate * 1000,
      onFinished,
      onProblem,
    });
    const server = createReceiver(store, {
      origins: options.origin,
      rateLimit: new RateLimit(options.rate),
      trustProxy: options.trustProxy ?? false,
      maxBytes: options.maxBody,
      onProblem,
    });
    await listen(server, options);
    const { address, port, family } = /** @type {import('node:net').AddressInfo} */ (server.address());
    print(
      `listening on http://${family === 'IPv6' ? `[${address}]` : address}:${port}, writing to ${options.out}`,
    );

    await ended;
    server.close();
    setTimeout(() => server.closeAllConnections(), LAST_REQUESTS_MS).unref();
    await once(server, 'close');
    await store.close();
  } finally {
    unlock();
  }
}

/** @param {import('node:http').Server} server @param {Options} options */
async function listen(server, { port, host }) {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    const { code = '', message } = /** @type {NodeJS.ErrnoException} */ (error);
    const why = WHY_NOT[code]?.(port, host) ?? message;
    throw Object.assign(/** @type {Error} */ (error), { message: why });
  }
}

/** @type {Record<string, (port: number, host: string) => string>} by the code of the error */
const WHY_NOT = {
  EADDRINUSE: (port, host) =>
    `port ${port} of ${host} is in use: end what listens there, or take another port by --port`,
  EACCES: (port) => `port ${port} needs more rights than this user has: take one above 1023 by --port`,
  EADDRNOTAVAIL: (_, host) => `--host ${host}: this machine has no such address`,
  ENOTFOUND: (_, host) => `--host ${host}: there is no such name`,
};
