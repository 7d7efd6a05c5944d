import { callTree } from '../traces/call_tree.js';
import { formatPlace } from '../traces/location.js';
import { sampleTotal } from '../traces/sample_counts.js';

/** @import { PathTime } from '../traces/call_tree.js' */
/** @import { Profile } from './formats.js' */

/**
 * @typedef {object} TreeNode
 * @property {string} function name
 * @property {string} site `file:line:column` of its definition, as far as known
 * @property {object | null} data of the root: of which trace, and what its profiler told; of all others null
 * @property {number} samples `selfCount` and the `samples` of all children
 * @property {number} selfCount samples that end here
 * @property {TreeNode[]} children heaviest first
 */

/**
 * A tree of calls in JSON, for programs that want no ids to resolve. Idle samples are the root's child `(idle)`. Of several profiles
 * each is a child of one root.
 * @param {Profile[]} profiles
 * @returns {string} JSON of a `TreeNode`
 */
export function callTreeJson(profiles) {
  return [...callTreeJsonPieces(profiles)].join('');
}

/**
 * The same, a node after the other.
 * @param {Profile[]} profiles
 * @returns {Generator<string>}
 */
export function* callTreeJsonPieces(profiles) {
  if (profiles.length === 1) {
    yield* treeOf(profiles[0]);
    return;
  }
  const samples = profiles.reduce((sum, { trace }) => sum + sampleTotal(trace), 0);
  yield opened({ function: '(all)', samples });
  for (const [i, profile] of profiles.entries()) {
    if (i > 0) yield ',';
    yield* treeOf(profile);
  }
  yield CLOSE;
}

/** @param {Profile} profile @returns {Generator<string>} */
function* treeOf({ name, trace, details }) {
  const { root, idle, samples } = callTree(trace);
  yield opened({ function: '(root)', samples, data: { name, ...details } });
  yield* listOf(root.children);
  if (idle > 0) {
    const comma = root.children.length > 0 ? ',' : '';
    yield `${comma}${opened({ function: '(idle)', samples: idle, selfCount: idle })}${CLOSE}`;
  }
  yield CLOSE;
}

/** Without recursion: stacks are as deep as the page's were. @param {PathTime[]} paths @returns {Generator<string>} nodes with commas between them */
function* listOf(paths) {
  /** @type {(PathTime | string)[]} the next one is the last */
  const open = [];
  const addAll = (/** @type {PathTime[]} */ children) => {
    for (let i = children.length - 1; i >= 0; i--) open.push(children[i], ...(i > 0 ? [','] : []));
  };
  addAll(paths);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === 'string') {
      yield next;
      continue;
    }
    const { location, total, self, children } = next;
    if (location) {
      const { name } = location;
      yield opened({ function: name, site: formatPlace(location), samples: total, selfCount: self });
    }
    open.push(CLOSE);
    addAll(children);
  }
}

const CLOSE = ']}';

/** @param {Partial<TreeNode>} members @returns {string} up to its children */
function opened(members) {
  const { function: name = '', site = '', data = null, samples = 0, selfCount = 0 } = members;
  return `${JSON.stringify({ function: name, site, data, samples, selfCount }).slice(0, -1)},"children":[`;
}
