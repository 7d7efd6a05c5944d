import { formatCount } from '../numbers.js';

/** @import { PathTrie } from './path_trie.js' */

/** What a file with one function of each path after the other may hold: some more, and it is longer than strings of JavaScript may be. */
const MAX_CALLS = 5e7;

/**
 * For formats that have paths as a whole, which grow with the product of samples and depth.
 * @param {PathTrie} trie
 * @param {Iterable<number>} nodes whose paths are to be written
 * @throws {Error} they are too many or too deep
 */
export function checkWholePaths({ parents }, nodes) {
  const depths = new Uint32Array(parents.length);
  parents.forEach((parent, node) => (depths[node] = (depths[parent] ?? 0) + 1));
  let calls = 0;
  for (const node of nodes) calls += depths[node] ?? 0;
  if (calls <= MAX_CALLS) return;
  throw new Error(
    `the paths of its samples have ${formatCount(calls)} calls, more than the ${formatCount(MAX_CALLS)} that the format has room for: firefox and cpuprofile have each path once`,
  );
}
