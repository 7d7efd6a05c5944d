import { ANONYMOUS, formatPlace } from '../traces/location.js';
import { IDLE, PathTrie } from '../traces/path_trie.js';
import { sampleCounts } from '../traces/sample_counts.js';
import { checkWholePaths } from '../traces/whole_paths.js';

/** @import { Profile } from './formats.js' */
/** @import { Location } from '../traces/location.js' */

/**
 * Collapsed stacks, as flamegraph.pl and many others read them: `outermost;…;innermost samples`, one line per path, sorted. Several
 * profiles are added up; idle samples have no stack and are left out.
 * @param {Profile[]} profiles
 * @returns {string}
 */
export function folded(profiles) {
  const trie = new PathTrie();
  /** @type {Map<number, number>} by node */
  const counts = new Map();
  for (const { trace } of profiles) {
    const sizes = sampleCounts(trace);
    trie.addSamples(trace).forEach((node, i) => {
      if (node !== IDLE) counts.set(node, (counts.get(node) ?? 0) + sizes[i]);
    });
  }
  checkWholePaths(trie, counts.keys());
  return linesOf(trie, counts).sort().join('');
}

/** @param {PathTrie} trie @param {Map<number, number>} counts by node @returns {string[]} */
function linesOf({ locations, functions, parents }, counts) {
  const labels = locations.map(labelOf);
  /** Functions that differ in their place only may have one label. @type {Map<string, number>} */
  const byPath = new Map();
  /** @type {string[]} by node */
  const paths = [];
  functions.forEach((id, node) => {
    const parent = parents[node];
    paths.push(parent === -1 ? labels[id] : `${paths[parent]};${labels[id]}`);
    const count = counts.get(node);
    if (count !== undefined) byPath.set(paths[node], (byPath.get(paths[node]) ?? 0) + count);
  });
  return [...byPath].map(([path, count]) => `${path} ${count}\n`);
}

/** A name, and for one that many functions share also the place. A semicolon or a line break would end it. @param {Location} location */
function labelOf(location) {
  const place = formatPlace(location);
  const label = location.name === ANONYMOUS && place ? `${location.name} ${place}` : location.name;
  return label.replaceAll(';', ':').replace(/\s/g, ' ');
}
