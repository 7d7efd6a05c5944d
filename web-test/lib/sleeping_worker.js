import { readFileSync } from 'node:fs';

const URL_PATH = '/dist/polyprof-worker.js';

/**
 * The polyfill's worker as on a machine that has no processor for it: those ticks are late.
 * @param {number} ms that it sleeps after every tenth wait
 * @returns {Record<string, {body: string}>} `overrides` of a server
 */
export function sleepingWorker(ms) {
  const worker = readFileSync(new URL(`../..${URL_PATH}`, import.meta.url), 'utf8');
  const sleeper = `{
  const { wait } = Atomics;
  const nobodyWakesIt = new Int32Array(new SharedArrayBuffer(4));
  let waits = 0;
  Atomics.wait = (...args) => {
    if (++waits % 10 === 0) wait(nobodyWakesIt, 0, 0, ${ms});
    return wait(...args);
  };
}`;
  return { [URL_PATH]: { body: `${sleeper}\n${worker}` } };
}
