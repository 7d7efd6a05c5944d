/** @import { ProfilerTrace } from '../../report/reading/check_trace.js' */

/**
 * A trace of a program that calls some functions at random, some much heavier than others. Calls last several samples, so that neighbours
 * resemble each other; and each run has functions that are a little slower or faster than in other runs. Or of one that calls all of them in turn.
 * @param {() => number} random
 * @param {object} [options]
 * @param {number} [options.functions] `f0` and so on
 * @param {number} [options.samples]
 * @param {number} [options.callSamples] mean length of a call
 * @param {number} [options.rounds] so often all functions are called in turn; by default they are called at random
 * @param {Record<string, number>} [options.slower] factors by function
 * @param {number} [options.unsteadiness] of each function from run to run, relative
 * @returns {ProfilerTrace}
 */
export function simulatedRun(
  random,
  { functions = 20, samples: count = 5000, callSamples = 3, rounds = 0, slower = {}, unsteadiness = 0 } = {},
) {
  const names = Array.from({ length: functions }, (_, i) => `f${i}`);
  const weights = names.map(
    (name, i) =>
      ((slower[name] ?? 1) * (1 + unsteadiness * (random() + random() + random() - 1.5) * 2)) / (i + 1),
  );
  const sum = weights.reduce((a, b) => a + b);
  /** @type {ProfilerTrace['samples']} */
  const samples = [];
  for (let round = 0; round < rounds; round++) {
    weights.forEach((weight, i) => {
      // Each call takes a tenth more or less.
      const length = ((count / rounds) * weight * (0.9 + 0.2 * random())) / sum + random();
      for (let k = 1; k < length; k++) samples.push({ timestamp: samples.length * 10, stackId: i + 1 });
    });
  }
  while (rounds === 0 && samples.length < count) {
    let rest = random() * sum;
    let chosen = 0;
    while (chosen < weights.length - 1 && (rest -= weights[chosen]) > 0) chosen++;
    do samples.push({ timestamp: samples.length * 10, stackId: chosen + 1 });
    while (random() > 1 / callSamples && samples.length < count);
  }
  return {
    resources: ['app.js'],
    frames: ['main', ...names].map((name, i) => ({ name, resourceId: 0, line: i + 1, column: 1 })),
    stacks: [{ frameId: 0 }, ...names.map((_, i) => ({ frameId: i + 1, parentId: 0 }))],
    samples,
  };
}
