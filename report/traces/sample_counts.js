/** @import { ProfilerTrace } from '../reading/check_trace.js' */

/**
 * Of traces that were merged: how many samples each stands for and how long, ms. A symbol, so that no file can have it.
 */
export const MERGED = Symbol('polyprof merged trace');

/** @param {ProfilerTrace} trace @returns {number[]} by sample: how many of the profiler's samples it is */
export function sampleCounts(trace) {
  return trace[MERGED]?.counts ?? trace.samples.map(() => 1);
}

/** @param {ProfilerTrace} trace @returns {number} all samples */
export function sampleTotal(trace) {
  return trace[MERGED]?.counts.reduce((sum, count) => sum + count, 0) ?? trace.samples.length;
}
