import { readFileSync } from 'node:fs';

const URL_PATH = '/dist/polyprof-worker.js';

/**
 * The polyfill's worker as on a machine that has no processor for it: those ticks are late.
 * @param {number} ms that it sleeps after every tenth wait
 * @returns {Record<string, {body: string}>} `overrides` of a server
 */
export function sleepingWorker(ms) {
  return asleep('++waits % 10 === 0', ms);
}

/**
 * The same on a machine where the page's thread, when it wakes up, takes the processor of the worker.
 * @param {number} ms that it sleeps after waits at whose end no flag is up
 * @returns {Record<string, {body: string}>} `overrides` of a server
 */
export function displacedWorker(ms) {
  return asleep('flags && Atomics.load(flags, 0) === 0', ms);
}

/**
 * The same on a machine, or in a browser, that stops the worker once, for long, while no flag is up. The page gets a message `asleep` from it then.
 * @param {number} ms
 * @returns {Record<string, {body: string}>} `overrides` of a server
 */
export function frozenWorker(ms) {
  return asleep('flags && Atomics.load(flags, 0) === 0 && ++waits === 20', ms, `postMessage('asleep')`);
}

/** @param {string} when expression, after a wait @param {number} ms @param {string} [before] statement */
function asleep(when, ms, before = '') {
  const worker = readFileSync(new URL(`../..${URL_PATH}`, import.meta.url), 'utf8');
  const sleeper = `{
  const { wait } = Atomics;
  const nobodyWakesIt = new Int32Array(new SharedArrayBuffer(4));
  let waits = 0, flags;
  addEventListener('message', ({ data }) => { flags = data.flags });
  Atomics.wait = (...args) => {
    const outcome = wait(...args);
    if (${when}) {
      ${before};
      wait(nobodyWakesIt, 0, 0, ${ms});
    }
    return outcome;
  };
}`;
  return { [URL_PATH]: { body: `${sleeper}\n${worker}` } };
}
