import { Children } from '../traces/children.js';
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
  return [...foldedPieces(profiles)].join('');
}

/**
 * The same, a line after the other.
 * @param {Profile[]} profiles
 * @returns {Iterable<string>}
 */
export function foldedPieces(profiles) {
  const trie = new PathTrie();
  const nodesBySample = profiles.map(({ trace }) => trie.addSamples(trace));
  checkWholePaths(trie, new Set(nodesBySample.flat()));
  const { labelled, nodes } = byLabel(trie);
  const counts = new Float64Array(labelled.functions.length);
  profiles.forEach(({ trace }, i) => {
    const sizes = sampleCounts(trace);
    nodesBySample[i].forEach((node, j) => {
      if (node !== IDLE) counts[nodes[node]] += sizes[j];
    });
  });
  return linesOf(labelled, counts);
}

/**
 * Functions that differ in their place only may have one label.
 * @param {PathTrie} trie @returns {{labelled: PathTrie, nodes: Int32Array}} paths of functions that have a label and no place, and for each node the one there
 */
function byLabel({ locations, functions, parents }) {
  const labelled = new PathTrie();
  const ids = locations.map((location) =>
    labelled.functionId({ name: labelOf(location), file: '', line: undefined, column: undefined }),
  );
  const nodes = new Int32Array(functions.length);
  functions.forEach((id, node) => (nodes[node] = labelled.node(nodes[parents[node]] ?? -1, ids[id])));
  return { labelled, nodes };
}

/**
 * From the root down, so that no path is there as a whole but the one that is written.
 * @param {PathTrie} trie of labels @param {Float64Array} counts by node @returns {Generator<string>}
 */
function* linesOf({ locations, functions, parents }, counts) {
  // Numbers of nodes from 1, and 0 for what all outermost calls have as their caller.
  const children = new Children(functions.length);
  parents.forEach((parent, node) => children.add(parent + 1, node + 1));
  /** @type {{text: string, node?: number}[]} what is left to write, the last one first: lines, and what those of a node begin with */
  const open = [{ text: '', node: 0 }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { text, node } = next;
    if (node === undefined) {
      yield text;
      continue;
    }
    const ends = children.of(node).flatMap((child) => {
      const { name } = locations[functions[child - 1]];
      const count = counts[child - 1];
      return [{ text: `${name};`, node: child }, ...(count > 0 ? [{ text: `${name} ${count}\n` }] : [])];
    });
    ends.sort((a, b) => (a.text < b.text ? 1 : -1));
    for (const end of ends) open.push({ ...end, text: text + end.text });
  }
}

/** A name, and for one that many functions share also the place. A semicolon or a line break would end it. @param {Location} location */
function labelOf(location) {
  const place = formatPlace(location);
  const label = location.name === ANONYMOUS && place ? `${location.name} ${place}` : location.name;
  return label.replaceAll(';', ':').replace(/\s/g, ' ');
}
