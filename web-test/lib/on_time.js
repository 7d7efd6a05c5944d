import assert from 'node:assert/strict';

const TRIES = 10;

/**
 * The worker tells what runs at a tick only if the machine lets it run then, too, and a crowded one may keep it waiting for longer than a
 * whole measurement takes. The profiler counts that: such a measurement says nothing, and is made again. What it found plays no part.
 * @template {{trace: import('./trace.js').Trace, losses: any, stalledMs?: number}} T
 * @param {() => Promise<T>} measure a session of 1 ms ticks; `stalledMs`: for so long the page itself had no processor (pages/busy.js), and
 *   what ran then is by chance
 * @param {number} [most] share of the ticks that may be late, and go to what ran before or after them, or of stalls
 * @returns {Promise<T>} the first one that had its worker
 */
export async function onTime(measure, most = 0.3) {
  const shares = [];
  for (let i = 0; i < TRIES; i++) {
    const outcome = await measure();
    const { trace, stalledMs = 0 } = outcome;
    const { lateTicks, workerlessTicks } = outcome.losses;
    assert.ok(lateTicks >= 0 && workerlessTicks >= 0, JSON.stringify(outcome.losses));
    shares.push((lateTicks + workerlessTicks + stalledMs) / trace.samples.length);
    if (!(shares[i] > most)) return outcome;
    console.log(
      `the worker was late, measured again: ${shares[i].toFixed(2)} of the samples, more than ${most}`,
    );
  }
  assert.fail(
    `late ticks, and ms of stalls, per sample, each time: ${shares.map((share) => share.toFixed(2)).join(' ')}`,
  );
}

/**
 * Profiles 200 ms of a page's function.
 * @param {import('./browsers.js').Page} page
 * @param {string} [name] of the function; it takes ms
 * @param {object} [install] its options
 * @returns {Promise<{trace: any, losses: any, mode: string}>}
 */
export function profileBusy(page, name = 'busy', install = {}) {
  return onTime(() =>
    page.evaluate(
      async (name, install) => {
        const page = /** @type {any} */ (globalThis);
        page.polyprof.install({ force: true, ...install });
        const profiler = await page.performance.profile({ sampleInterval: 1 });
        page.stalledMs = 0;
        page[name](200);
        const { stalledMs } = page;
        return { trace: await profiler.stop(), losses: profiler.losses, mode: profiler.mode, stalledMs };
      },
      name,
      install,
    ),
  );
}
