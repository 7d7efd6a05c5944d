/**
 * What one call of a function with probes costs more than without, ns: enter and leave together.
 * `flag`, `shadow`: in whole programs and the engine where it is most, Chromium, as `npm run bench -- --turns --variants sweep,budget` tells it. Loops
 * of compiled code pay less, up to 1.6 (`node bench/probes/micro.js`), and so do the other engines.
 * `raised`: flag probes while a session runs without a worker, and some checks look at the clock: by `npm run bench -- --turns --variants self-timed` and the calls of the
 * calibrations, with the looks at the stack in it that any sampling takes.
 * @type {Readonly<Record<string, number>>} by kind of probe
 */
export const NS_PER_CALL = Object.freeze({ flag: 5, shadow: 5, raised: 30 });

/** Budgets that may be spent while a session runs without a worker: few visits are sampled, and there what can be seen counts for more. */
export const BUDGETS_IF_RAISED = 3;

/**
 * And what calls cost more as long as engines have not compiled a function for good, ns: they read and compile more text, run it slowly, and go on to
 * do so for thousands of calls where these are not in one loop. The first ones as `node bench/probes/first_calls.js` tells it of V8, the later ones so
 * that they explain what budgets of 0.1 to 3 % cost whole programs (`npm run bench -- --in-node --variants sweep`).
 * A session without a worker changes nothing there.
 */
const COLD_CALLS = [
  { count: 1, ns: 10_000 },
  { count: 10, ns: 1000 },
  { count: 1000, ns: 95 },
  { count: 10_000, ns: 15 },
];

/**
 * @param {number} calls of a function of pages that were just opened
 * @param {string} probe as of `NS_PER_CALL`
 * @param {number} [starts] how many pages called it
 * @returns {number} microseconds that its probes cost
 */
export function costUs(calls, probe, starts = 1) {
  const warm = warmCostUs(calls, probe);
  return probe === 'raised' ? warm : warm + starts * coldCostUs(calls / starts);
}

/** @param {number} calls in one page */
function coldCostUs(calls) {
  let left = calls;
  let ns = 0;
  for (const stage of COLD_CALLS) {
    ns += stage.ns * Math.min(left, stage.count);
    left = Math.max(0, left - stage.count);
  }
  return ns / 1000;
}

/**
 * @param {number} calls of a function that engines have compiled
 * @param {string} probe as above
 * @returns {number} microseconds, likewise
 */
export function warmCostUs(calls, probe) {
  return (calls * NS_PER_CALL[probe]) / 1000;
}
