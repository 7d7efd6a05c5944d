'use strict';
/**
 * Two functions of equal arithmetic by turns. The first one ends with some stores, to lines of memory that are in the cache or, which takes no longer, that
 * are not: the processor goes on, and they wait.
 */
const STEPS = 100;
const STORES = 4;
const memory = new Uint8Array(2 ** 26);

/* polyprof-include */
/** @param {number} x @param {number} mask of the bytes that are written to @returns {number} */
function scatter(x, mask) {
  for (let i = 0; i < STEPS; i++) {
    x = (Math.imul(x, 1664525) + 1013904223) | 0;
    x ^= x >>> 7;
  }
  for (let i = 0; i < STORES; i++) {
    x = (Math.imul(x, 1664525) + 1013904223) | 0;
    memory[(x >>> 4) & mask] = x;
  }
  return x;
}

/* polyprof-include */
/** @param {number} x @returns {number} */
function reckon(x) {
  for (let i = 0; i < STEPS; i++) {
    x = (Math.imul(x, 1664525) + 1013904223) | 0;
    x ^= x >>> 7;
  }
  return x;
}

/* polyprof-include */
/** @param {number} count @param {number} mask @returns {number} */
function turns(count, mask) {
  let x = count;
  for (let i = 0; i < count; i++) x = reckon(scatter(x, mask));
  return x;
}

/** @param {number} mask @param {number} ms @returns {Promise<{trace: object, ns: number}>} `ns`: of one turn of both */
async function profileTurns(mask, ms) {
  const page = /** @type {any} */ (globalThis);
  page.polyprof.install({ force: true });
  turns(1e5, mask);
  const profiler = await page.performance.profile({ sampleInterval: 1 });
  const begin = performance.now();
  let count = 0;
  for (; performance.now() < begin + ms; count += 1e5) turns(1e5, mask);
  const ns = (1e6 * (performance.now() - begin)) / count;
  return { trace: await profiler.stop(), ns };
}
Object.assign(globalThis, { profileTurns });
