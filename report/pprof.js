import { gzipSync } from 'node:zlib';
import { Profile as PprofProfile, StringTable } from 'pprof-format';
import { describeDetails } from './details.js';
import { IDLE, PathTrie } from './path_trie.js';
import { sampleCounts } from './sample_counts.js';
import { sampleWeights, usualInterval } from './sample_weights.js';

/** @import { Profile } from './formats.js' */

/**
 * pprof's protocol buffer, gzipped: https://github.com/google/pprof/blob/main/proto/profile.proto. Two values per call path, `samples` in
 * counts and `wall` in nanoseconds; several profiles are added up. Idle time has the value but no location, so that it counts in
 * the whole and is nobody's. What the profiler tells about itself is in the comments.
 * @param {Profile[]} profiles
 * @returns {Uint8Array}
 */
export function pprof(profiles) {
  const trie = new PathTrie();
  const sums = new PathSums();
  for (const { trace } of profiles)
    sums.add(trie.addSamples(trace), sampleWeights(trace), sampleCounts(trace));
  const strings = new StringTable();
  const text = (/** @type {string} */ value) => strings.dedup(value);
  const unit = (/** @type {string} */ type, /** @type {string} */ name) => ({
    type: text(type),
    unit: text(name),
  });
  const profile = new PprofProfile({
    sampleType: [unit('samples', 'count'), unit('wall', 'nanoseconds')],
    sample: [...sums.byNode].map(([node, { count, ns }]) => ({
      locationId: locationIds(trie, node),
      value: [count, ns],
      ...(node === IDLE && { label: [{ key: text('state'), str: text('idle') }] }),
    })),
    // A location is where a function is: ids are numbers from 1.
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
    durationNanos: [...sums.byNode.values()].reduce((sum, { ns }) => sum + ns, 0),
    defaultSampleType: text('wall'),
    comment: profiles.flatMap(describeDetails).map(text),
    stringTable: strings,
  });
  return gzipSync(profile.encode());
}

class PathSums {
  /** @type {Map<number, {count: number, ns: number}>} */
  byNode = new Map();

  /** @param {number[]} nodes of samples @param {number[]} weights ms @param {number[]} counts */
  add(nodes, weights, counts) {
    nodes.forEach((node, i) => {
      const sum = this.byNode.get(node) ?? { count: 0, ns: 0 };
      sum.count += counts[i];
      sum.ns += Math.round(weights[i] * 1e6);
      this.byNode.set(node, sum);
    });
  }
}

/** @param {PathTrie} trie @param {number} node @returns {number[]} innermost first */
function locationIds({ functions, parents }, node) {
  const ids = [];
  for (let each = node; each !== -1; each = parents[each]) ids.push(functions[each] + 1);
  return ids;
}
