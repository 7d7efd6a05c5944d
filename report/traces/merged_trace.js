import { locationOf } from './location.js';
import { sampleWeights } from './sample_weights.js';
import { MERGED } from './sample_counts.js';
import { TraceFold } from './trace_fold.js';

/** @import { ProfilerTrace } from '../reading/check_trace.js' */
/** @import { Details } from '../reading/details.js' */
/** @import { Profile } from '../formats/formats.js' */
/** @import { Folded } from './trace_fold.js' */

/** In place of a path: nothing was running. */
const IDLE = -1;

/**
 * Folds any number of traces into one, in memory for their distinct call paths and not for their samples. What is lost is the order of
 * time: each path is there once, with all of its samples and its time, the longest first.
 */
export class MergedTrace {
  #fold = new TraceFold();
  /** @type {Map<string, number>} by reason */
  #losses = new Map();
  /** @type {Set<string>[]} what all traces have in common is told of the merged one, by key of `SHARED` */
  #shared = SHARED.map(() => new Set());
  traces = 0;

  /** @param {Profile} profile @throws {Error} there is no memory for it; the others are still there */
  add({ trace, details = {} }) {
    this.#fold.add({
      frames: trace.frames.map((_, id) => locationOf(trace, id)),
      parents: Int32Array.from(trace.stacks, ({ parentId }) => parentId ?? IDLE),
      frameOfStack: Int32Array.from(trace.stacks, ({ frameId }) => frameId),
      samples: Int32Array.from(trace.samples, ({ stackId }) => stackId ?? IDLE),
      ms: sampleWeights(trace, details.sampleInterval),
    });
    for (const [reason, count] of Object.entries(details.losses ?? {})) {
      this.#losses.set(reason, (this.#losses.get(reason) ?? 0) + count);
    }
    SHARED.forEach((key, i) => {
      const values = this.#shared[i];
      if (values.size < 2) values.add(JSON.stringify(details[key] ?? null));
    });
    this.traces++;
  }

  /** @param {string} name @returns {Profile} whose trace has a sample per path, one after the other from 0 ms */
  profile(name) {
    const folded = this.#fold.result();
    const { shares, idle } = folded;
    const paths = [];
    for (let path = 0; path < folded.parents.length; path++) if (shares[2 * path + 1] > 0) paths.push(path);
    paths.sort((a, b) => shares[2 * b] - shares[2 * a] || shares[2 * b + 1] - shares[2 * a + 1] || a - b);
    const counts = paths.map((path) => shares[2 * path + 1]);
    const ms = paths.map((path) => shares[2 * path]);
    if (idle.samples > 0) {
      paths.push(IDLE);
      counts.push(idle.samples);
      ms.push(idle.ms);
    }
    let end = 0;
    const samples = paths.map((path, i) => {
      const timestamp = end;
      end += ms[i];
      return path === IDLE ? { timestamp } : { timestamp, stackId: path };
    });
    return {
      name,
      trace: { ...framesOf(folded), samples, [MERGED]: { counts, ms } },
      details: this.#details(),
    };
  }

  /** @returns {Details} */
  #details() {
    const shared = SHARED.flatMap((key, i) => {
      const [only, ...others] = this.#shared[i];
      return others.length === 0 && only !== undefined && only !== 'null' ? [[key, JSON.parse(only)]] : [];
    });
    const losses = this.#losses.size > 0 ? { losses: Object.fromEntries(this.#losses) } : {};
    return { ...Object.fromEntries(shared), ...losses };
  }
}

/** Details that say something of many traces when they are the same in all. */
const SHARED = /** @type {const} */ (['url', 'userAgent', 'engine', 'mode', 'sampleInterval']);

/** @param {Folded} folded @returns {Omit<ProfilerTrace, 'samples'>} */
function framesOf({ frames: locations, parents, frameOfPath }) {
  /** @type {Map<string, number>} */
  const resources = new Map();
  const frames = locations.map(({ name, file, line, column }) => {
    if (file && !resources.has(file)) resources.set(file, resources.size);
    return {
      name,
      ...(file && { resourceId: resources.get(file) }),
      ...(line !== undefined && { line }),
      ...(column !== undefined && { column }),
    };
  });
  const stacks = Array.from(frameOfPath, (frameId, path) =>
    parents[path] === IDLE ? { frameId } : { frameId, parentId: parents[path] },
  );
  return { resources: [...resources.keys()], frames, stacks };
}
