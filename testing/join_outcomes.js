/** @import { ProfilerTrace } from '../report/check_trace.js' */
/** @import { Details } from '../report/details.js' */
/** @import { Outcome } from './page_script.js' */

/**
 * What the documents of one run have seen, one after the other, as one trace on one clock: that of the first document.
 * @param {Outcome[]} outcomes at least one, in order
 * @returns {{trace: ProfilerTrace, details: Details}}
 */
export function joinOutcomes(outcomes) {
  const [first] = outcomes;
  /** @type {ProfilerTrace} */
  const joined = { resources: [], frames: [], stacks: [], samples: [] };
  outcomes.forEach(({ trace, timeOrigin, sampleInterval }, i) => {
    // When a document began is known to the ms at best: the next one does not begin before the one before has ended.
    const end = (joined.samples.at(-1)?.timestamp ?? -Infinity) - (trace.samples[0]?.timestamp ?? 0);
    add(joined, trace, Math.max(timeOrigin - first.timeOrigin, end));
    const last = joined.samples.at(-1);
    // Until the next document has its first sample, nothing runs.
    if (last && i < outcomes.length - 1) joined.samples.push({ timestamp: last.timestamp + sampleInterval });
  });
  const { url, userAgent, sampleInterval, timeOrigin } = first;
  const mode = [...new Set(outcomes.map((each) => each.mode))].join(', ');
  return {
    trace: joined,
    details: { url, userAgent, mode, sampleInterval, timeOrigin, losses: sumOfLosses(outcomes) },
  };
}

/** @param {ProfilerTrace} joined @param {ProfilerTrace} trace @param {number} shiftMs */
function add(joined, { resources, frames, stacks, samples }, shiftMs) {
  const [resource, frame, stack] = [joined.resources.length, joined.frames.length, joined.stacks.length];
  joined.resources.push(...resources);
  for (const each of frames) {
    joined.frames.push(
      each.resourceId === undefined ? each : { ...each, resourceId: each.resourceId + resource },
    );
  }
  for (const { frameId, parentId } of stacks) {
    joined.stacks.push({
      frameId: frameId + frame,
      ...(parentId !== undefined && { parentId: parentId + stack }),
    });
  }
  for (const { timestamp, stackId } of samples) {
    joined.samples.push({
      timestamp: timestamp + shiftMs,
      ...(stackId !== undefined && { stackId: stackId + stack }),
    });
  }
}

/** @param {Outcome[]} outcomes */
function sumOfLosses(outcomes) {
  /** @type {Record<string, number>} */
  const sum = {};
  for (const { losses } of outcomes) {
    for (const [reason, count] of Object.entries(losses)) sum[reason] = (sum[reason] ?? 0) + count;
  }
  return sum;
}
