import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readAllProfiles } from '../../report/reading/read_trace.js';
import { count, isGiven, readOptions } from '../lib/options.js';
import { Clients } from './clients.js';
import { Receiver } from './receiver.js';

/**
 * Whether the receiver keeps what it takes. A hundred clients with addresses of their own send traces of 25 kB, gzipped, at a fixed rate, whatever
 * comes back, while the receiver is killed by `kill -9` some times and started anew. Each trace has a number and is sent until it is answered with
 * 204, as the beacon does. In the end all that were answered must be on the disk. Linux, where all of 127.0.0.0/8 is this machine.
 */

const { rate, seconds, kills, fsync } = readOptions('Whether the receiver keeps what it takes.', {
  rate: count('traces per second', 500),
  seconds: count('in which they are sent', 60),
  kills: count('times that the receiver is killed', 3, 0),
  fsync: isGiven('the receiver answers when a trace is on the disk itself'),
});
const all = rate * seconds;

const folder = mkdtempSync(join(tmpdir(), 'polyprof-collect-'));
try {
  const receiver = await Receiver.start(folder, fsync ? ['--fsync'] : []);
  const clients = new Clients(receiver.port);
  console.log(`${all} traces of ${Math.round(clients.bytes / 1000)} kB`);
  const begin = performance.now();
  const killing = killNowAndThen(receiver, begin);
  const sent = await sendAll(clients, begin);
  const sendingSeconds = (performance.now() - begin) / 1000;
  const waits = await Promise.all(sent);
  await killing;
  const answeredSeconds = (performance.now() - begin) / 1000;
  clients.close();
  const code = await receiver.stop();
  console.log(
    `sent in ${sendingSeconds.toFixed(1)} s (${Math.round(all / sendingSeconds)}/s), all answered after ${answeredSeconds.toFixed(1)} s, ${kills} times killed, exit code ${code}`,
  );
  console.log(
    `answers: ${[...clients.statuses].map(([status, times]) => `${status || 'none'} ${times}`).join(', ')}`,
  );
  tellWaits(waits.filter((wait) => wait !== undefined));
  const missing = await missingIn(folder);
  if (missing > 0 || code !== 0) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}

/** @param {number} number of a trace @param {number} begin @returns {number} when it is to be sent */
function due(number, begin) {
  return begin + (number * 1000) / rate;
}

/**
 * @param {Clients} clients @param {number} begin
 * @returns {Promise<Promise<number | undefined>[]>} when all are on their way: of each, when it was answered, ms from the moment at which it was due
 *   to its answer; `undefined` if it had to be sent again
 */
async function sendAll(clients, begin) {
  const sent = [];
  for (let number = 0; number < all; number++) {
    const wait = due(number, begin) - performance.now();
    if (wait > 1) await sleep(wait);
    sent.push(
      clients
        .sendUntilAnswered(number)
        .then((isFirst) => (isFirst ? performance.now() - due(number, begin) : undefined)),
    );
  }
  return sent;
}

/** @param {Receiver} receiver @param {number} begin */
async function killNowAndThen(receiver, begin) {
  for (let i = 1; i <= kills; i++) {
    await sleep(begin + (seconds * 1000 * i) / (kills + 1) - performance.now());
    await receiver.replace();
  }
}

/** @param {number[]} waits */
function tellWaits(waits) {
  waits.sort((a, b) => a - b);
  const quantile = (/** @type {number} */ share) => Math.round(waits[Math.floor(share * (waits.length - 1))]);
  console.log(
    `first answers after ${quantile(0.5)} ms (median), ${quantile(0.99)} ms (99 %), ${quantile(1)} ms (most)`,
  );
}

/** @param {string} folder @returns {Promise<number>} how many traces are not in it; tells more */
async function missingIn(folder) {
  /** How often each is there. @type {Map<unknown, number>} */
  const stored = new Map();
  const onError = (/** @type {Error} */ error) => {
    throw error;
  };
  for await (const { details } of readAllProfiles([folder], { onError })) {
    stored.set(details?.id, (stored.get(details?.id) ?? 0) + 1);
  }
  const missing = Array.from({ length: all }, (_, i) => `${i}`).filter((id) => !stored.has(id)).length;
  const twice = [...stored.values()].filter((times) => times > 1).length;
  console.log(`answered ${all}, on disk ${stored.size}, missing ${missing}, stored twice ${twice}`);
  return missing;
}
