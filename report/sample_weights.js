import { MERGED, sampleCounts } from './sample_counts.js';

/** @import { ProfilerTrace } from './check_trace.js' */

/**
 * How long each sample stands for: until the next one. The last one gets what is usual, the median of the others.
 * @param {ProfilerTrace} trace
 * @returns {number[]} ms, one per sample
 */
export function sampleWeights({ samples, [MERGED]: merged }) {
  if (merged) return merged.ms;
  const weights = samples.slice(1).map(({ timestamp }, i) => timestamp - samples[i].timestamp);
  if (samples.length > 0) weights.push(median(weights));
  return weights;
}

/** @param {number[]} values @returns {number} 0 of none */
export function median(values) {
  const sorted = Float64Array.from(values).sort();
  return sorted.length === 0 ? 0 : sorted[sorted.length >> 1];
}

/** @param {{trace: ProfilerTrace}[]} profiles @returns {number} ms between samples; 0 of none */
export function usualInterval(profiles) {
  return median(
    profiles.flatMap(({ trace }) => {
      const counts = sampleCounts(trace);
      return sampleWeights(trace).map((ms, i) => ms / counts[i]);
    }),
  );
}
