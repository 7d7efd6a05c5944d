import { MERGED, sampleCounts } from './sample_counts.js';

/** @import { ProfilerTrace } from '../reading/check_trace.js' */
/** @import { Profile } from '../formats/formats.js' */

/** Who samples on purpose leaves more time between two samples, ms. */
const SHORTEST_GAP_MS = 0.5;

/** Who says that a sample stands for longer is mistaken, ms. */
const LONGEST_INTERVAL_MS = 60_000;

/**
 * How long each sample stands for: until the next one. The last one gets what is usual, the median of the others.
 * @param {ProfilerTrace} trace
 * @param {number} [intervalMs] at which it was sampled, as far as known: how long a single sample stands for
 * @returns {number[]} ms, one per sample
 */
export function sampleWeights({ samples, [MERGED]: merged }, intervalMs = 0) {
  if (merged) return merged.ms;
  const gaps = gapsOf(samples);
  /** @type {number[]} */
  const weights = new Array(samples.length);
  // `Array.from` would take longer than all else here.
  for (let i = 0; i < gaps.length; i++) weights[i] = gaps[i];
  if (samples.length > 1) weights[gaps.length] = middleOf(gaps.sort());
  if (samples.length === 1) weights[0] = Math.min(Math.max(0, intervalMs), LONGEST_INTERVAL_MS);
  return weights;
}

/**
 * The interval that most of the time is in, whatever came in between: many extra samples, or pauses.
 * @param {ProfilerTrace['samples']} samples
 * @returns {number} ms; 0 if they are all too close
 */
export function usualGap(samples) {
  const gaps = gapsOf(samples)
    .filter((gap) => gap >= SHORTEST_GAP_MS)
    .sort();
  const most = 2 * middleOf(gaps);
  let left = gaps.reduce((sum, gap) => sum + Math.min(gap, most), 0) / 2;
  return gaps.find((gap) => (left -= Math.min(gap, most)) <= 0) ?? 0;
}

/** @param {ProfilerTrace['samples']} samples @returns {Float64Array} ms from each to the next, 0 if that was taken before */
function gapsOf(samples) {
  const gaps = new Float64Array(Math.max(0, samples.length - 1));
  for (let i = 0; i < gaps.length; i++)
    gaps[i] = Math.max(0, samples[i + 1].timestamp - samples[i].timestamp);
  return gaps;
}

/** @param {Float64Array} values sorted @returns {number} 0 of none */
function middleOf(values) {
  return values.length === 0 ? 0 : values[values.length >> 1];
}

/** @param {number[]} values @returns {number} 0 of none */
function median(values) {
  return middleOf(Float64Array.from(values).sort());
}

/** @param {Profile[]} profiles @returns {number} ms between samples; 0 of none */
export function usualInterval(profiles) {
  return median(
    profiles.flatMap(({ trace, details }) => {
      const counts = sampleCounts(trace);
      return sampleWeights(trace, details?.sampleInterval).map((ms, i) => ms / counts[i]);
    }),
  );
}
