import { usualGap } from '../traces/sample_weights.js';

/** @import { ProfilerTrace } from './check_trace.js' */

/**
 * A sample that comes sooner after the one before, in intervals, is out of turn. Ours are a tenth of an interval off at most, and those of V8's sampler
 * hardly more on a machine that is not crowded.
 */
const SOONEST = 0.6;

/** No busy machine keeps a sampler waiting for longer: the page was hidden or frozen, or the machine slept. */
const ASLEEP_MS = 1000;
const ASLEEP_INTERVALS = 10;

/**
 * Makes a share of samples a share of time: each sample stands for one interval.
 *
 * V8 samples in turn, and also whenever it gives up compiled code, often many times in a ms while a page warms up: functions that are given up often
 * would seem to be busy ones. Those samples are left out. And where nobody looked for long, what ran before that did not run all the time: it is
 * followed by an idle sample.
 * @param {ProfilerTrace} trace that was checked
 * @returns {{trace: ProfilerTrace, extraSamples: number, unseenMs: number}} how many samples were left out, and for how long nobody looked
 */
export function evenSamples(trace) {
  const interval = usualGap(trace.samples);
  const longest = Math.max(ASLEEP_MS, ASLEEP_INTERVALS * interval);
  /** @type {ProfilerTrace['samples']} */
  const samples = [];
  let extraSamples = 0;
  let unseenMs = 0;
  let last = -Infinity;
  for (const sample of trace.samples) {
    const gap = sample.timestamp - last;
    if (gap < SOONEST * interval) {
      extraSamples++;
      continue;
    }
    if (gap > longest && samples.length > 0) {
      samples.push({ timestamp: last + interval });
      unseenMs += gap - interval;
    }
    samples.push(sample);
    last = sample.timestamp;
  }
  const isEven = extraSamples + unseenMs === 0;
  return { trace: isEven ? trace : { ...trace, samples }, extraSamples, unseenMs };
}
