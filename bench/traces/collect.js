import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { readAllProfiles } from '../../report/reading/read_trace.js';
import { CLI } from '../lib/folders.js';
import { randomTraces } from './random_traces.js';

/**
 * Whether the receiver keeps what it takes: `node bench/traces/collect.js [--rate 500] [--seconds 60] [--kills 3] [--fsync]`. A hundred clients with
 * addresses of their own send traces of 25 kB, gzipped, at a fixed rate, whatever comes back, while the receiver is killed by `kill -9`
 * some times and started anew. Each trace has a number and is sent until it is answered with 204, as the beacon does. In the end all
 * that were answered must be on the disk. Linux, where all of 127.0.0.0/8 is this machine.
 */

const CLIENTS = 100;
const RETRY_MS = 250;

const { values } = parseArgs({
  options: {
    rate: { type: 'string', default: '500' },
    seconds: { type: 'string', default: '60' },
    kills: { type: 'string', default: '3' },
    fsync: { type: 'boolean', default: false },
  },
});
const [rate, seconds, kills] = [values.rate, values.seconds, values.kills].map(Number);

const folder = mkdtempSync(join(tmpdir(), 'polyprof-collect-'));
const next = randomTraces(400);
const bodies = Array.from({ length: 200 }, () => JSON.stringify(next()));
/** The id goes before it, as a gzip member of its own. */
const packedRests = bodies.map((body) => gzipSync(`"trace":${body}}`));
const agents = Array.from(
  { length: CLIENTS },
  (_, i) => new Agent({ keepAlive: true, localAddress: `127.0.0.${i + 2}` }),
);

/** @param {number} port @returns {Promise<{child: import('node:child_process').ChildProcess, port: number}>} */
async function start(port) {
  const args = [CLI, 'collect', '--out', folder, '--port', `${port}`, ...(values.fsync ? ['--fsync'] : [])];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface(child.stdout)) {
    const [, taken] = /^listening on http:.*:(\d+),/.exec(line) ?? [];
    if (taken) return { child, port: Number(taken) };
  }
  throw new Error('the receiver did not start');
}

/** @param {number} number @param {number} port @returns {Promise<number>} status; 0: no answer */
function post(number, port) {
  const body = Buffer.concat([gzipSync(`{"id":"${number}",`), packedRests[number % packedRests.length]]);
  return new Promise((resolve) => {
    const sending = request({
      method: 'POST',
      host: '127.0.0.1',
      port,
      agent: agents[number % CLIENTS],
      headers: { 'Content-Type': 'application/gzip', 'Content-Length': body.length },
    });
    sending.on('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sending.on('error', () => resolve(0));
    sending.end(body);
  });
}

try {
  let receiver = await start(0);
  const { port } = receiver;
  const all = rate * seconds;
  console.log(`${all} traces of ${Math.round(bodies.join('').length / bodies.length / 1000)} kB`);
  /** ms from the moment at which it is due to its first answer; of those that were answered at once. @type {number[]} */
  const waits = [];
  /** @type {Map<number, number>} */
  const statuses = new Map();
  let answered = 0;
  const begin = performance.now();
  const due = (/** @type {number} */ number) => begin + (number * 1000) / rate;

  const sendUntilAnswered = async (/** @type {number} */ number) => {
    for (let isFirst = true; ; isFirst = false) {
      const status = await post(number, port);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status === 204) {
        if (isFirst) waits.push(performance.now() - due(number));
        answered++;
        return;
      }
      await sleep(RETRY_MS);
    }
  };
  const killing = (async () => {
    for (let i = 1; i <= kills; i++) {
      await sleep(begin + (seconds * 1000 * i) / (kills + 1) - performance.now());
      const closed = once(receiver.child, 'close');
      receiver.child.kill('SIGKILL');
      await closed;
      receiver = await start(port);
    }
  })();
  const sent = [];
  for (let number = 0; number < all; number++) {
    const wait = due(number) - performance.now();
    if (wait > 1) await sleep(wait);
    sent.push(sendUntilAnswered(number));
  }
  const sending = (performance.now() - begin) / 1000;
  await Promise.all([...sent, killing]);
  const took = (performance.now() - begin) / 1000;
  const closed = once(receiver.child, 'close');
  receiver.child.kill('SIGTERM');
  const [code] = await closed;

  const stored = new Map();
  const onError = (/** @type {Error} */ error) => {
    throw error;
  };
  for await (const { details } of readAllProfiles([folder], { onError })) {
    stored.set(details?.id, (stored.get(details?.id) ?? 0) + 1);
  }
  const missing = Array.from({ length: all }, (_, i) => `${i}`).filter((id) => !stored.has(id));
  const twice = [...stored.values()].filter((count) => count > 1).length;
  waits.sort((a, b) => a - b);
  const quantile = (/** @type {number} */ share) => Math.round(waits[Math.floor(share * (waits.length - 1))]);
  console.log(
    `sent in ${sending.toFixed(1)} s (${Math.round(all / sending)}/s), all answered after ${took.toFixed(1)} s, ${kills} times killed, exit code ${code}`,
  );
  console.log(
    `answers: ${[...statuses].map(([status, count]) => `${status || 'none'} ${count}`).join(', ')}`,
  );
  console.log(
    `first answers after ${quantile(0.5)} ms (median), ${quantile(0.99)} ms (99 %), ${quantile(1)} ms (most)`,
  );
  console.log(
    `answered ${answered}, on disk ${stored.size}, missing ${missing.length}, stored twice ${twice}`,
  );
  if (missing.length > 0 || answered !== all || code !== 0) process.exitCode = 1;
} finally {
  for (const agent of agents) agent.destroy();
  rmSync(folder, { recursive: true });
}
