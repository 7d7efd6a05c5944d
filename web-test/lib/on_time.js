import assert from 'node:assert/strict';

/** At least so many times, and for so long: what is short is measured often before a crowded machine has time for it. */
const TRIES = 10;
const FOR_MS = 40_000;

/**
 * On a crowded machine others run when what is measured should. Such a measurement says nothing, and is made again. What it found plays no part.
 * @template T
 * @param {() => Promise<T>} measure
 * @param {(outcome: T) => string | false} disturbance what others took from it, if that is too much
 * @returns {Promise<T>} the first one that they left alone
 */
export async function undisturbed(measure, disturbance) {
  const told = [];
  const start = performance.now();
  while (told.length < TRIES || performance.now() - start < FOR_MS) {
    const outcome = await measure();
    const why = disturbance(outcome);
    if (why === false) return outcome;
    console.log(`the machine was busy with something else, measured again: ${why}`);
    told.push(why);
  }
  assert.fail(`the machine was busy with something else, each time: ${told.join(', ')}`);
}

/**
 * The worker tells what runs at a tick only if the machine lets it run then, too, and a crowded one may keep it waiting for longer than a
 * whole measurement takes. The profiler counts that.
 * @template {{trace: import('./trace.js').Trace, losses: any, stalledMs?: number}} T
 * @param {() => Promise<T>} measure a session of 1 ms ticks; `stalledMs`: for so long the page itself had no processor (pages/busy.js), and
 *   what ran then is by chance
 * @param {number} [most] share of the ticks that may be late, and go to what ran before or after them, or of stalls
 * @returns {Promise<T>} the first one that had its worker
 */
export function onTime(measure, most = 0.3) {
  return undisturbed(measure, ({ trace, losses, stalledMs = 0 }) => {
    const { lateTicks, workerlessTicks } = losses;
    assert.ok(lateTicks >= 0 && workerlessTicks >= 0, JSON.stringify(losses));
    const share = (lateTicks + workerlessTicks + stalledMs) / trace.samples.length;
    return share > most && `${share.toFixed(2)} of the ticks were late, more than ${most}`;
  });
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
