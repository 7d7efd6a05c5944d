import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { randomTraces } from './random_traces.js';

const CLIENTS = 100;
const RETRY_MS = 250;

/** Clients with addresses of their own, who send traces as the beacon does. */
export class Clients {
  #port;
  #bodies;
  #packedRests;
  #agents = Array.from(
    { length: CLIENTS },
    (_, i) => new Agent({ keepAlive: true, localAddress: `127.0.0.${i + 2}` }),
  );
  /** How often each status was answered; 0: no answer. @type {Map<number, number>} */
  statuses = new Map();

  /** @param {number} port of the receiver */
  constructor(port) {
    this.#port = port;
    const next = randomTraces(400);
    this.#bodies = Array.from({ length: 200 }, () => JSON.stringify(next()));
    // The id goes before it, as a gzip member of its own.
    this.#packedRests = this.#bodies.map((body) => gzipSync(`"trace":${body}}`));
  }

  /** Of a trace, in the mean. */
  get bytes() {
    return this.#bodies.join('').length / this.#bodies.length;
  }

  /** @param {number} number of the trace @returns {Promise<boolean>} when it was answered with 204: whether it was at once */
  async sendUntilAnswered(number) {
    for (let isFirst = true; ; isFirst = false) {
      const status = await this.#post(number);
      this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
      if (status === 204) return isFirst;
      await sleep(RETRY_MS);
    }
  }

  /** @param {number} number @returns {Promise<number>} status; 0: no answer */
  #post(number) {
    const rest = this.#packedRests[number % this.#packedRests.length];
    const body = Buffer.concat([gzipSync(`{"id":"${number}",`), rest]);
    return new Promise((resolve) => {
      const sending = request({
        method: 'POST',
        host: '127.0.0.1',
        port: this.#port,
        agent: this.#agents[number % CLIENTS],
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

  close() {
    for (const agent of this.#agents) agent.destroy();
  }
}
