import { CHILD_KEYS } from './syntax.js';

/** @typedef {import('./parse.js').Node} Node */

/**
 * @template S
 * @typedef {Record<string, (state: S, node: Node, parent: Node) => void>} Visitors by node type
 */

/**
 * A walker over the whole tree, each parent before its children.
 *
 * Big scripts have millions of nodes: one table lookup per node, and no path objects. Chains such as `a.b().c()...` or
 * `a + b + c + ...` are as deep as they are long; so the first child is walked in a loop and not by recursion (and last).
 *
 * @template S
 * @param {Visitors<S>} notes called for a node, then its children are walked
 * @param {Visitors<S>} owners called in place of walking the children: they call the walker for them
 * @returns {(state: S, node: Node, parent: Node) => void}
 */
export function walker(notes, owners) {
  /** @type {Record<string, {keys: readonly string[], note?: Visitors<S>[string], own?: Visitors<S>[string]}>} */
  const rules = {};
  for (const [type, keys] of Object.entries(CHILD_KEYS)) {
    rules[type] = { keys, note: notes[type], own: owners[type] };
  }

  return function walk(state, node, parent) {
    for (;;) {
      const { keys, note, own } = rules[node.type];
      if (note !== undefined) note(state, node, parent);
      if (own !== undefined) return own(state, node, parent);
      let first = null;
      for (const key of keys) {
        const child = node[key];
        if (child == null) continue;
        if (Array.isArray(child)) {
          for (const item of child) if (item !== null) walk(state, item, node);
        } else if (first === null) {
          first = child;
        } else {
          walk(state, child, node);
        }
      }
      if (first === null) return;
      parent = node;
      node = first;
    }
  };
}
