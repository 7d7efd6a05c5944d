/** @import { ProfilerTrace } from '../report/check_trace.js' */

/**
 * Two profilers watched one run, one of them more often and without gaps. What did both see at the moments when the other one saw a stack?
 * @param {ProfilerTrace} often with a sample at nearly every moment
 * @param {ProfilerTrace} seldom at the same page's clock
 * @returns {{often: ProfilerTrace, seldom: ProfilerTrace}} with as many samples: those of `seldom` that have a stack, and of `often` the nearest ones
 */
export function atSameMoments(often, seldom) {
  const times = often.samples.map(({ timestamp }) => timestamp);
  const [begin, end] = [times[0], times[times.length - 1]];
  const samples = seldom.samples.filter(
    ({ timestamp, stackId }) => stackId !== undefined && timestamp >= begin && timestamp <= end,
  );
  return {
    often: { ...often, samples: samples.map(({ timestamp }) => often.samples[nearest(times, timestamp)]) },
    seldom: { ...seldom, samples },
  };
}

/** @param {number[]} times ascending @param {number} time between the first and the last @returns {number} index */
function nearest(times, time) {
  let [low, high] = [0, times.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= time) low = middle;
    else high = middle;
  }
  return time - times[low] <= times[high] - time ? low : high;
}
