import { TraceError } from './trace_error.js';

/** @import { ProfilerTrace, TraceSample } from './check_trace.js' */

/**
 * What Sentry's browser SDK makes of a ProfilerTrace: `profile` of an item `profile` or `profile_chunk`. Frames keep their ids, and one that
 * no sample has is null. A stack is a list of frames, innermost first; an idle sample has an empty one. Times are either
 * nanoseconds since the first sample, in words, or seconds since 1970.
 *
 * @typedef {{function?: string, abs_path?: string, lineno?: number, colno?: number} | null} SentryFrame
 * @typedef {{stack_id: number, elapsed_since_start_ns?: string | number, timestamp?: number}} SentrySample
 */

/** @param {Record<string, any>} value @returns {boolean} whether it is one */
export function isSentryProfile({ profile, platform }) {
  return (
    platform === 'javascript' && Boolean(profile) && Array.isArray(profile.stacks?.[0] ?? profile.stacks)
  );
}

/**
 * @param {Record<string, any>} value that is one
 * @param {string} file for messages
 * @returns {ProfilerTrace} with ids that may still be out of range; throws a `TraceError` for the first thing that is not as above
 */
export function traceOfSentry({ profile }, file) {
  const list = (/** @type {unknown} */ value, /** @type {string} */ place) => {
    if (!Array.isArray(value)) throw new TraceError(file, `profile.${place}`, 'must be an array');
    return value;
  };
  /** @type {Map<string, number>} */
  const resources = new Map();
  const frames = list(profile.frames, 'frames').map((/** @type {SentryFrame} */ frame) =>
    frameOf(frame ?? {}, resources),
  );
  /** @type {ProfilerTrace['stacks']} */
  const stacks = [];
  const leafOfStack = list(profile.stacks, 'stacks').map((stack, i) => {
    /** @type {number | undefined} */
    let parentId;
    for (const frameId of list(stack, `stacks[${i}]`).toReversed()) {
      stacks.push(parentId === undefined ? { frameId } : { frameId, parentId });
      parentId = stacks.length - 1;
    }
    return parentId;
  });
  const samples = list(profile.samples, 'samples').map((sample, i) => {
    const id = sample?.stack_id;
    if (!Number.isInteger(id) || id < 0 || id >= leafOfStack.length) {
      const problem = `is ${JSON.stringify(id)}, but there are ${leafOfStack.length} stacks`;
      throw new TraceError(file, `profile.samples[${i}].stack_id`, problem);
    }
    return sampleOf(sample, leafOfStack[id]);
  });
  return { resources: [...resources.keys()], frames, stacks, samples };
}

/** @param {NonNullable<SentryFrame>} frame @param {Map<string, number>} resources */
function frameOf({ function: name, abs_path: file, lineno: line, colno: column }, resources) {
  if (file !== undefined && !resources.has(file)) resources.set(file, resources.size);
  return {
    name: name ?? '',
    ...(file !== undefined && { resourceId: resources.get(file) }),
    ...(line !== undefined && { line }),
    ...(column !== undefined && { column }),
  };
}

/** @param {SentrySample} sample @param {number | undefined} stackId @returns {TraceSample} */
function sampleOf({ elapsed_since_start_ns: ns, timestamp: seconds }, stackId) {
  const timestamp = ns === undefined ? Number(seconds) * 1e3 : Number(ns) / 1e6;
  return stackId === undefined ? { timestamp } : { timestamp, stackId };
}
