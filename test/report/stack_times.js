import { ANONYMOUS } from '../../report/traces/location.js';

/** @import { ProfilerTrace } from '../../report/reading/check_trace.js' */
/** @import { Location } from '../../report/traces/location.js' */

/**
 * What any report of a trace must come to: how long each stack was on, and how often it was seen.
 *
 * @typedef {Record<string, {ms: number, samples: number}>} StackTimes by `outermost;…;innermost`, each as `functionText`; empty: idle
 */

/** @param {Partial<Location>} location @returns {string} */
export function functionText({ name, file, line, column }) {
  return `${name || ANONYMOUS} ${file ?? ''}:${line ?? ''}:${column ?? ''}`.replaceAll(';', ':');
}

/**
 * Read off a trace in the plainest way. A sample lasts until the next one, the last one as long as is usual.
 * @param {ProfilerTrace} trace @param {(location: Partial<Location>) => string} [text] of a function @returns {StackTimes}
 */
export function stackTimes({ resources, frames, stacks, samples }, text = functionText) {
  const times = samples.map(({ timestamp }) => timestamp);
  const lengths = times.slice(1).map((time, i) => time - times[i]);
  const usual = lengths.toSorted((a, b) => a - b)[lengths.length >> 1] ?? 0;
  const sums = new StackSums();
  samples.forEach(({ stackId }, i) => {
    const path = [];
    for (let id = stackId; id !== undefined; id = stacks[id].parentId) {
      const { resourceId, ...frame } = frames[stacks[id].frameId];
      path.unshift(text({ ...frame, file: resourceId === undefined ? undefined : resources[resourceId] }));
    }
    sums.add(path, lengths[i] ?? usual);
  });
  return sums.sums;
}

export class StackSums {
  /** @type {StackTimes} */
  sums = {};

  /** @param {string[]} path outermost first @param {number} ms @param {number} [samples] */
  add(path, ms, samples = 1) {
    const sum = (this.sums[path.join(';')] ??= { ms: 0, samples: 0 });
    sum.ms += ms;
    sum.samples += samples;
  }
}

/** @param {StackTimes} times @param {number} [digits] after the point @returns {Record<string, string>} ms per stack that took any */
export function milliseconds(times, digits = 2) {
  return Object.fromEntries(
    Object.entries(times)
      .map(([path, { ms }]) => [path, ms.toFixed(digits)])
      .filter(([, ms]) => Number(ms) > 0)
      .sort(),
  );
}

/** @param {StackTimes} times @returns {Record<string, number>} samples per stack */
export function sampleCounts(times) {
  return Object.fromEntries(
    Object.entries(times)
      .map(([path, { samples }]) => [path, samples])
      .sort(),
  );
}
