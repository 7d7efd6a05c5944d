import { callTree } from '../traces/call_tree.js';
import { formatPlace } from '../traces/location.js';

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
  const trees = profiles.map(treeOf);
  if (trees.length === 1) return stringify(trees[0]);
  const samples = trees.reduce((sum, tree) => sum + tree.samples, 0);
  return stringify({ ...node('(all)', ''), samples, children: trees });
}

/** @param {Profile} profile @returns {TreeNode} */
function treeOf({ name, trace, details }) {
  const { root, idle, samples } = callTree(trace);
  const tree = { ...fromPath(root), samples, data: { name, ...details } };
  if (idle > 0) tree.children.push({ ...node('(idle)', ''), samples: idle, selfCount: idle });
  return tree;
}

/** Without recursion: stacks are as deep as the page's were. @param {PathTime} root @returns {TreeNode} */
function fromPath(root) {
  const result = node('(root)', '');
  /** @type {[PathTime, TreeNode][]} */
  const open = [[root, result]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [path, target] = next;
    target.samples = path.total;
    target.selfCount = path.self;
    for (const child of path.children) {
      const { location } = child;
      const copy = location ? node(location.name, formatPlace(location)) : node('', '');
      target.children.push(copy);
      open.push([child, copy]);
    }
  }
  return result;
}

/** @param {string} name @param {string} site @returns {TreeNode} */
function node(name, site) {
  return { function: name, site, data: null, samples: 0, selfCount: 0, children: [] };
}

/** JSON.stringify recurses, and runs out of stack some thousand calls down. @param {TreeNode} root @returns {string} */
function stringify(root) {
  const parts = [];
  /** @type {(TreeNode | string)[]} */
  const open = [root];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === 'string') {
      parts.push(next);
      continue;
    }
    const { children, ...own } = next;
    parts.push(JSON.stringify(own).slice(0, -1), ',"children":[');
    open.push(']}');
    children.forEach((_, i) => {
      const child = children[children.length - 1 - i];
      open.push(child);
      if (i < children.length - 1) open.push(',');
    });
  }
  return parts.join('');
}
