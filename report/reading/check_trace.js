// eslint-disable-next-line no-unused-vars -- the type below has it as a key
import { MERGED } from '../traces/sample_counts.js';
import { TraceError } from './trace_error.js';

/**
 * A trace as the JS Self-Profiling API gives it. Ids are indices into the arrays; a stack is a leaf frame and its caller's stack.
 *
 * @typedef {{name: string, resourceId?: number, line?: number, column?: number}} TraceFrame
 *   line and column of the function's definition, 1-based
 * @typedef {{frameId: number, parentId?: number}} TraceStack
 * @typedef {{timestamp: number, stackId?: number}} TraceSample ms since the page's time origin; without a stack: idle
 * @typedef {{resources: string[], frames: TraceFrame[], stacks: TraceStack[], samples: TraceSample[],
 *   [MERGED]?: {counts: number[], ms: number[]}}} ProfilerTrace
 */

/**
 * Makes sure that a value is a ProfilerTrace, so that nothing after this has to check ids. Members that the specification does not
 * know are let through, and so are samples out of turn, as browsers have them: `evenSamples` leaves them out.
 * @param {unknown} value
 * @param {string} [file] where it comes from, for messages
 * @returns {ProfilerTrace} the same value; throws a `TraceError` for the first thing that is wrong
 */
export function checkTrace(value, file = 'trace') {
  const check = new Checker(file);
  const trace = check.object(value, '');
  check.noOtherFormat(trace);
  const resources = check.array(trace.resources, 'resources');
  const frames = check.array(trace.frames, 'frames');
  const stacks = check.array(trace.stacks, 'stacks');
  const samples = check.array(trace.samples, 'samples');

  resources.forEach((resource, i) => check.string(resource, `resources[${i}]`));
  frames.forEach((item, i) => {
    const frame = check.object(item, `frames[${i}]`);
    check.string(frame.name, `frames[${i}].name`);
    check.optionalId(frame.resourceId, resources, 'resources', `frames[${i}].resourceId`);
    check.optionalPosition(frame.line, `frames[${i}].line`);
    check.optionalPosition(frame.column, `frames[${i}].column`);
  });
  stacks.forEach((item, i) => {
    const stack = check.object(item, `stacks[${i}]`);
    check.id(stack.frameId, frames, 'frames', `stacks[${i}].frameId`);
    check.optionalId(stack.parentId, stacks, 'stacks', `stacks[${i}].parentId`);
  });
  check.noCycles(stacks);
  let last = -Infinity;
  samples.forEach((item, i) => {
    const sample = check.object(item, `samples[${i}]`);
    last = check.timestamp(sample.timestamp, last, `samples[${i}].timestamp`);
    check.optionalId(sample.stackId, stacks, 'stacks', `samples[${i}].stackId`);
  });
  return /** @type {ProfilerTrace} */ (value);
}

/** What else people have of profiles, by the members that a trace has not. */
const OTHER_FORMATS = {
  'a .cpuprofile': ['nodes', 'timeDeltas'],
  "a trace of Chrome's DevTools": ['traceEvents'],
  'a profile of the Firefox Profiler': ['meta', 'threads'],
  'a file of speedscope': ['shared', 'profiles'],
};

/**
 * How far a sample may stand after a later one. V8 takes samples in two threads, and the one that was interrupted while it took its own, for up to a
 * time slice of a busy machine, hands it in afterwards.
 */
const OVERTAKEN_MS = 100;

/** Later than any clock says, also in ms since 1970. In microseconds, as some formats have times, it is still a whole number. */
const MAX_MS = 9e12;

class Checker {
  #file;

  /** @param {string} file */
  constructor(file) {
    this.#file = file;
  }

  /** @param {unknown} value @param {string} place @returns {Record<string, unknown>} */
  object(value, place) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      this.#fail(place, `must be an object, not ${kindOf(value)}`);
    }
    return /** @type {Record<string, unknown>} */ (value);
  }

  /** @param {Record<string, unknown>} trace */
  noOtherFormat(trace) {
    if (trace.resources !== undefined) return;
    for (const [what, members] of Object.entries(OTHER_FORMATS)) {
      if (members.every((member) => trace[member] !== undefined))
        this.#fail('', `is ${what}, and not a trace: give what the page's profiler made`);
    }
  }

  /** @param {unknown} value @param {string} place @returns {any[]} */
  array(value, place) {
    if (!Array.isArray(value)) this.#fail(place, `must be an array, not ${kindOf(value)}`);
    return /** @type {any[]} */ (value);
  }

  /** @param {unknown} value @param {string} place */
  string(value, place) {
    if (typeof value !== 'string') this.#fail(place, `must be a string, not ${kindOf(value)}`);
  }

  /** @param {unknown} value @param {any[]} target @param {string} targetName @param {string} place */
  id(value, target, targetName, place) {
    if (!Number.isInteger(value))
      this.#fail(place, `must be an index into ${targetName}, not ${kindOf(value)}`);
    if (Number(value) < 0 || Number(value) >= target.length) {
      this.#fail(place, `is ${value}, but there are ${target.length} ${targetName}`);
    }
  }

  /** @param {unknown} value @param {any[]} target @param {string} targetName @param {string} place */
  optionalId(value, target, targetName, place) {
    if (value !== undefined) this.id(value, target, targetName, place);
  }

  /** @param {unknown} value @param {string} place */
  optionalPosition(value, place) {
    if (value !== undefined && !(Number.isInteger(value) && Number(value) >= 0)) {
      this.#fail(place, `must be a whole number of at least 0, not ${kindOf(value)}`);
    }
  }

  /** @param {unknown} value @param {number} last @param {string} place @returns {number} the latest time so far */
  timestamp(value, last, place) {
    if (!Number.isFinite(value)) this.#fail(place, `must be a number of milliseconds, not ${kindOf(value)}`);
    if (Math.abs(Number(value)) > MAX_MS) {
      this.#fail(place, `must be a number of milliseconds, at most ${MAX_MS}, not ${value}`);
    }
    if (Number(value) < last - OVERTAKEN_MS)
      this.#fail(place, `is ${value}, earlier than the samples before (${last})`);
    return Math.max(Number(value), last);
  }

  /** Each stack is walked once: a walk ends at a stack that is known to reach a root. @param {TraceStack[]} stacks */
  noCycles(stacks) {
    const reachesRoot = new Uint8Array(stacks.length);
    for (let start = 0; start < stacks.length; start++) {
      const walked = new Set();
      /** @type {number | undefined} */
      let id = start;
      while (id !== undefined && !reachesRoot[id]) {
        if (walked.has(id)) this.#fail(`stacks[${id}].parentId`, 'leads back to the same stack');
        walked.add(id);
        id = stacks[id].parentId;
      }
      for (const each of walked) reachesRoot[each] = 1;
    }
  }

  /** @param {string} place @param {string} problem @returns {never} */
  #fail(place, problem) {
    throw new TraceError(this.#file, place, problem);
  }
}

/** @param {unknown} value */
function kindOf(value) {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : JSON.stringify(value);
}
