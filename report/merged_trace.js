import { IDLE, PathTrie } from './path_trie.js';
import { sampleWeights } from './sample_weights.js';
import { MERGED } from './sample_counts.js';

/** @import { ProfilerTrace } from './check_trace.js' */
/** @import { Details } from './details.js' */
/** @import { Profile } from './formats.js' */

/**
 * Folds any number of traces into one, in memory for their distinct call paths and not for their samples. What is lost is the order of
 * time: each path is there once, with all of its samples and its time, the longest first.
 */
export class MergedTrace {
  #trie = new PathTrie();
  /** @type {number[]} by node */
  #counts = [];
  /** @type {number[]} by node */
  #ms = [];
  #idle = { count: 0, ms: 0 };
  /** @type {Record<string, number>} */
  #losses = {};
  /** @type {Set<string>[]} what all traces have in common is told of the merged one, by key of `SHARED` */
  #shared = SHARED.map(() => new Set());
  traces = 0;

  /** @param {Profile} profile */
  add({ trace, details = {} }) {
    const weights = sampleWeights(trace);
    this.#trie.addSamples(trace).forEach((node, i) => {
      if (node === IDLE) {
        this.#idle.count++;
        this.#idle.ms += weights[i];
      } else {
        this.#counts[node] = (this.#counts[node] ?? 0) + 1;
        this.#ms[node] = (this.#ms[node] ?? 0) + weights[i];
      }
    });
    for (const [reason, count] of Object.entries(details.losses ?? {})) {
      this.#losses[reason] = (this.#losses[reason] ?? 0) + count;
    }
    SHARED.forEach((key, i) => {
      const values = this.#shared[i];
      if (values.size < 2) values.add(JSON.stringify(details[key] ?? null));
    });
    this.traces++;
  }

  /** @param {string} name @returns {Profile} whose trace has a sample per path, one after the other from 0 ms */
  profile(name) {
    const paths = this.#counts
      .map((count, node) => ({ node, count, ms: this.#ms[node] }))
      .filter(({ count }) => count > 0)
      .sort((a, b) => b.ms - a.ms || b.count - a.count || a.node - b.node);
    if (this.#idle.count > 0) paths.push({ node: IDLE, ...this.#idle });
    let end = 0;
    const samples = paths.map(({ node, ms }) => {
      const timestamp = end;
      end += ms;
      return node === IDLE ? { timestamp } : { timestamp, stackId: node };
    });
    /** @type {ProfilerTrace} */
    const trace = {
      ...framesOf(this.#trie),
      samples,
      [MERGED]: { counts: paths.map(({ count }) => count), ms: paths.map(({ ms }) => ms) },
    };
    return { name, trace, details: this.#details() };
  }

  /** @returns {Details} */
  #details() {
    const shared = SHARED.flatMap((key, i) => {
      const [only, ...others] = this.#shared[i];
      return others.length === 0 && only !== undefined && only !== 'null' ? [[key, JSON.parse(only)]] : [];
    });
    const losses = Object.keys(this.#losses).length > 0 ? { losses: this.#losses } : {};
    return { ...Object.fromEntries(shared), ...losses };
  }
}

/** Details that say something of many traces when they are the same in all. */
const SHARED = /** @type {const} */ (['url', 'userAgent', 'engine', 'mode', 'sampleInterval']);

/** @param {PathTrie} trie @returns {Omit<ProfilerTrace, 'samples'>} */
function framesOf({ locations, functions, parents }) {
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
  const stacks = functions.map((frameId, node) =>
    parents[node] === -1 ? { frameId } : { frameId, parentId: parents[node] },
  );
  return { resources: [...resources.keys()], frames, stacks };
}
