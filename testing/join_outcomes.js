/** @import { ProfilerTrace } from '../report/reading/check_trace.js' */
/** @import { Details } from '../report/reading/details.js' */
/** @import { Outcome } from './in_page/outcome.js' */

/** @typedef {Pick<Outcome, 'trace' | 'mode' | 'losses' | 'sampleInterval' | 'url' | 'userAgent' | 'timeOrigin'>} Joinable */

/**
 * What was recorded of the documents of one run, one after the other, as one trace on one clock: that of the first document.
 * @param {Joinable[]} outcomes at least one, in order
 * @returns {{trace: ProfilerTrace, details: Details}}
 */
export function joinOutcomes(outcomes) {
  const [first] = outcomes;
  const joined = new JoinedTrace();
  const { samples } = joined.trace;
  outcomes.forEach(({ timeOrigin, sampleInterval, ...outcome }, i) => {
    const trace = isPart(outcomes, i) ? after(outcomes[i - 1].trace, outcome.trace) : outcome.trace;
    // When a document began is known to the ms at best: the next one does not begin before the one before has ended.
    const end = (samples.at(-1)?.timestamp ?? -Infinity) - (trace.samples[0]?.timestamp ?? 0);
    joined.add(trace, Math.max(timeOrigin - first.timeOrigin, end));
    const last = samples.at(-1);
    // Until the next document has its first sample, nothing runs.
    if (last && i < outcomes.length - 1 && !isPart(outcomes, i + 1)) {
      samples.push({ timestamp: last.timestamp + sampleInterval });
    }
  });
  const { url, userAgent, sampleInterval, timeOrigin } = first;
  const mode = [...new Set(outcomes.map((each) => each.mode))].join(', ');
  return {
    trace: joined.trace,
    details: { url, userAgent, mode, sampleInterval, timeOrigin, losses: sumOfLosses(outcomes) },
  };
}

/** In intervals: a document that was left and is shown again later does not go on. */
const PAUSE = 10;

/** Whether a document goes on there with what it told before. @param {Joinable[]} outcomes @param {number} i */
function isPart(outcomes, i) {
  const [before, now] = [outcomes[i - 1], outcomes[i]];
  if (before?.timeOrigin !== now.timeOrigin) return false;
  const [last, first] = [before.trace.samples.at(-1), now.trace.samples[0]];
  return Boolean(last && first && first.timestamp - last.timestamp < PAUSE * now.sampleInterval);
}

/** The later part began before the earlier one ended. @param {ProfilerTrace} earlier @param {ProfilerTrace} later @returns {ProfilerTrace} */
function after({ samples }, later) {
  const end = samples[samples.length - 1].timestamp;
  return { ...later, samples: later.samples.filter(({ timestamp }) => timestamp > end) };
}

/** A trace that others are added to. What several of them have, it has once. */
class JoinedTrace {
  /** @type {ProfilerTrace} */
  trace = { resources: [], frames: [], stacks: [], samples: [] };
  #resources = new Ids(this.trace.resources);
  #frames = new Ids(this.trace.frames);
  #stacks = new Ids(this.trace.stacks);

  /** @param {ProfilerTrace} trace @param {number} shiftMs */
  add({ resources, frames, stacks, samples }, shiftMs) {
    const resourceIds = resources.map((resource) => this.#resources.of(resource));
    const frameIds = frames.map((frame) =>
      this.#frames.of(
        frame.resourceId === undefined ? frame : { ...frame, resourceId: resourceIds[frame.resourceId] },
      ),
    );
    /** @type {number[]} */
    const stackIds = [];
    // Parents come first.
    for (const { frameId, parentId } of stacks) {
      const parent = parentId === undefined ? {} : { parentId: stackIds[parentId] };
      stackIds.push(this.#stacks.of({ frameId: frameIds[frameId], ...parent }));
    }
    for (const { timestamp, stackId } of samples) {
      this.trace.samples.push({
        timestamp: timestamp + shiftMs,
        ...(stackId !== undefined && { stackId: stackIds[stackId] }),
      });
    }
  }
}

/** @template T */
class Ids {
  #list;
  /** @type {Map<string, number>} */
  #ids = new Map();

  /** @param {T[]} list that grows */
  constructor(list) {
    this.#list = list;
  }

  /** @param {T} value JSON, its members always in the same order @returns {number} its index in the list */
  of(value) {
    const key = JSON.stringify(value);
    let id = this.#ids.get(key);
    if (id === undefined) {
      id = this.#list.push(value) - 1;
      this.#ids.set(key, id);
    }
    return id;
  }
}

/** @param {Joinable[]} outcomes */
function sumOfLosses(outcomes) {
  /** @type {Record<string, number>} */
  const sum = {};
  for (const { losses } of outcomes) {
    for (const [reason, count] of Object.entries(losses)) sum[reason] = (sum[reason] ?? 0) + count;
  }
  return sum;
}
