import { randomNumbers } from '../lib/random_numbers.js';

/** @import { ProfilerTrace } from '../../report/reading/check_trace.js' */

const FUNCTIONS = 400;

/**
 * Traces as pages would send them, of one program with 400 functions: stacks that grow and shrink from sample to sample.
 * @param {number} samples of each trace; 400 make 25 kB
 * @returns {() => ProfilerTrace} another one at each call, the same ones in each run
 */
export function randomTraces(samples) {
  const random = randomNumbers(1);
  /** Who calls whom; the first callee is the usual one. */
  const callees = Array.from({ length: FUNCTIONS }, () =>
    Array.from({ length: 1 + Math.floor(random() * 4) }, () => Math.floor(random() * FUNCTIONS)),
  );
  return () => {
    /** @type {ProfilerTrace} */
    const trace = {
      resources: ['a', 'b', 'c'].map((name) => `https://example.org/static/${name}.js`),
      frames: [],
      stacks: [],
      samples: [],
    };
    /** @type {Map<string, number>} */
    const ids = new Map();
    const intern = (/** @type {string} */ key, /** @type {() => number} */ add) => {
      const id = ids.get(key) ?? add() - 1;
      ids.set(key, id);
      return id;
    };
    let path = [0];
    for (let i = 0; i < samples; i++) {
      path = path.slice(0, Math.max(1, path.length - Math.floor(random() * 4)));
      while (random() < 0.65 && path.length < 25) {
        const choices = callees[path[path.length - 1]];
        path.push(choices[Math.floor(random() ** 9 * choices.length)]);
      }
      /** @type {number | undefined} */
      let stackId;
      for (const id of path) {
        const frameId = intern(`${id}`, () =>
          trace.frames.push({ name: `fn${id}`, resourceId: id % 3, line: id + 1, column: 7 }),
        );
        const parentId = stackId;
        stackId = intern(`${parentId} ${frameId}`, () =>
          trace.stacks.push(parentId === undefined ? { frameId } : { frameId, parentId }),
        );
      }
      const timestamp = 1000 + i * 10 + Math.round(random() * 1000) / 1000;
      trace.samples.push(random() < 0.2 ? { timestamp } : { timestamp, stackId });
    }
    return trace;
  };
}
