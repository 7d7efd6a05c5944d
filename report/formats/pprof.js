import { gzipSync } from 'node:zlib';
import { Profile as PprofProfile, StringTable } from 'pprof-format';
import { describeDetails } from '../reading/details.js';
import { IDLE, PathTrie } from '../traces/path_trie.js';
import { sampleCounts } from '../traces/sample_counts.js';
import { sampleWeights, usualInterval } from '../traces/sample_weights.js';
import { checkWholePaths } from '../traces/whole_paths.js';

/** @import { Profile } from './formats.js' */

/** Samples that are encoded together: as objects they take some hundred times of what they are written. */
const CHUNK = 1024;

/**
 * pprof's protocol buffer, gzipped: https://github.com/google/pprof/blob/main/proto/profile.proto. Two values per call path, `samples` in
 * counts and `wall` in nanoseconds; several profiles are added up. Idle time has the value but no location, so that it counts in
 * the whole and is nobody's. What the profiler tells about itself is in the comments.
 * @param {Profile[]} profiles
 * @returns {Uint8Array}
 */
export function pprof(profiles) {
  const trie = new PathTrie();
  const nodesBySample = profiles.map(({ trace }) => trie.addSamples(trace));
  const sums = new PathSums(trie.functions.length);
  profiles.forEach(({ trace, details }, i) => {
    sums.add(nodesBySample[i], sampleWeights(trace, details?.sampleInterval), sampleCounts(trace));
  });
  const { nodes } = sums;
  checkWholePaths(trie, nodes);
  const strings = new StringTable();
  const text = (/** @type {string} */ value) => strings.dedup(value);
  const unit = (/** @type {string} */ type, /** @type {string} */ name) => ({
    type: text(type),
    unit: text(name),
  });
  const label = [{ key: text('state'), str: text('idle') }];
  const sample = (/** @type {number} */ node) => ({
    // Ids are numbers from 1.
    locationId: trie.path(node).map((id) => id + 1),
    value: sums.of(node),
    ...(node === IDLE && { label }),
  });
  const whole = new PprofProfile({
    sampleType: [unit('samples', 'count'), unit('wall', 'nanoseconds')],
    // A location is where a function is.
    location: trie.locations.map(({ line, column }, i) => ({
      id: i + 1,
      line: [{ functionId: i + 1, line: line ?? 0, column: column ?? 0 }],
    })),
    function: trie.locations.map(({ name, file, line }, i) => ({
      id: i + 1,
      name: text(name),
      systemName: text(name),
      filename: text(file),
      startLine: line ?? 0,
    })),
    periodType: unit('wall', 'nanoseconds'),
    period: Math.round(usualInterval(profiles) * 1e6),
    durationNanos: nodes.reduce((sum, node) => sum + sums.of(node)[1], 0),
    defaultSampleType: text('wall'),
    comment: profiles.flatMap(describeDetails).map(text),
    stringTable: strings,
  });
  const parts = [whole.encode()];
  // What is encoded in parts, one after the other, is read as one.
  for (let i = 0; i < nodes.length; i += CHUNK) {
    parts.push(new PprofProfile({ sample: nodes.slice(i, i + CHUNK).map(sample) }).encode());
  }
  return gzipSync(Buffer.concat(parts));
}

/** What the samples of a path add up to. */
class PathSums {
  /** @type {number[]} those that have samples, in the order of the first ones */
  nodes = [];
  /** By node, and `IDLE` before the first one. */
  #counts;
  #ns;

  /** @param {number} nodes */
  constructor(nodes) {
    this.#counts = new Float64Array(nodes - IDLE);
    this.#ns = new Float64Array(nodes - IDLE);
  }

  /** @param {number[]} nodes of samples @param {number[]} weights ms @param {number[]} counts */
  add(nodes, weights, counts) {
    nodes.forEach((node, i) => {
      const at = node - IDLE;
      if (this.#counts[at] === 0) this.nodes.push(node);
      this.#counts[at] += counts[i];
      this.#ns[at] += Math.round(weights[i] * 1e6);
    });
  }

  /** @param {number} node @returns {[number, number]} samples and ns */
  of(node) {
    return [this.#counts[node - IDLE], this.#ns[node - IDLE]];
  }
}
