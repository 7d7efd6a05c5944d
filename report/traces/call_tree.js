import { IDLE, PathTrie } from './path_trie.js';
import { sampleCounts, sampleTotal } from './sample_counts.js';

/** @import { ProfilerTrace } from '../reading/check_trace.js' */
/** @import { Location } from './location.js' */

/**
 * Where the time went, per function and per path. All counts are of samples; frames of the same function (name and place) are one.
 *
 * @typedef {object} FunctionTime
 * @property {Location} location
 * @property {number} self samples in which it was the innermost frame
 * @property {number} total samples in which it was on the stack, once each, however often it recurs
 *
 * @typedef {object} PathTime
 * @property {Location | null} location null: the root, of which all outermost frames are children
 * @property {number} self samples that end here
 * @property {number} total samples that end here or below
 * @property {PathTime[]} children heaviest first
 *
 * @typedef {object} CallTree
 * @property {number} samples all of them
 * @property {number} idle those without a stack: neither in `functions` nor in `root`
 * @property {FunctionTime[]} functions most self time first, then most total
 * @property {PathTime} root its total is `samples - idle`
 */

/** @param {ProfilerTrace} trace that was checked @returns {CallTree} */
export function callTree(trace) {
  const trie = new PathTrie();
  const nodes = trie.addSamples(trace);
  const sizes = sampleCounts(trace);
  const root = pathTime(null);
  const paths = trie.functions.map((id) => pathTime(trie.locations[id]));
  const callerOf = (/** @type {number} */ node) => paths[trie.parents[node]] ?? root;
  let idle = 0;
  nodes.forEach((node, i) => {
    if (node === IDLE) idle += sizes[i];
    else paths[node].self += sizes[i];
  });
  const functions = trie.locations.map((location) => ({ location, self: 0, total: 0 }));
  // What is called comes after its caller, and is complete before it.
  for (let node = paths.length - 1; node >= 0; node--) {
    const path = paths[node];
    path.total += path.self;
    callerOf(node).total += path.total;
    functions[trie.functions[node]].self += path.self;
  }
  paths.forEach((path, node) => callerOf(node).children.push(path));
  for (const { children } of [root, ...paths]) children.sort((a, b) => b.total - a.total);
  addTotals(root, functions);
  functions.sort((a, b) => b.self - a.self || b.total - a.total);
  return { samples: sampleTotal(trace), idle, functions, root };
}

/** @param {Location | null} location @returns {PathTime} */
function pathTime(location) {
  return { location, self: 0, total: 0, children: [] };
}

/**
 * A call of a function within another one is in the total of that one. Without recursion: stacks are as deep as the page's were.
 * @param {PathTime} root @param {FunctionTime[]} functions
 */
function addTotals(root, functions) {
  const byLocation = new Map(functions.map((time) => [/** @type {Location | null} */ (time.location), time]));
  const running = new Set();
  /** @type {(PathTime | FunctionTime)[]} paths to look at, and functions that end before those below them */
  const open = [root];
  for (let next = open.pop(); next; next = open.pop()) {
    if (!('children' in next)) {
      running.delete(next);
      continue;
    }
    const time = byLocation.get(next.location);
    if (time && !running.has(time)) {
      time.total += next.total;
      running.add(time);
      open.push(time);
    }
    for (const child of next.children) open.push(child);
  }
}
