import { locationKey, locationOf } from './location.js';

/** @import { ProfilerTrace } from './check_trace.js' */
/** @import { Location } from './location.js' */

/** Both ids fit into the 53 bits of a number. */
const MAX_FUNCTIONS = 2 ** 26;

/** In place of a node: nothing was running. */
export const IDLE = -1;

/**
 * The call paths of one trace or many, each once: a node is a function called by the path of its parent. Frames of the same name and
 * place are one function. Parents come before their children, since a node's number is only known once it is in.
 */
export class PathTrie {
  /** @type {Location[]} by function */
  locations = [];
  /** @type {number[]} by node: which function */
  functions = [];
  /** @type {number[]} by node: its caller, or -1 */
  parents = [];
  /** @type {Map<string, number>} */
  #functionIds = new Map();
  /** Numbers as keys, since strings would take most of the memory. @type {Map<number, number>} */
  #nodeIds = new Map();

  /** @param {Location} location @returns {number} function */
  functionId(location) {
    const key = locationKey(location);
    let id = this.#functionIds.get(key);
    if (id === undefined) {
      id = this.locations.push(location) - 1;
      this.#functionIds.set(key, id);
    }
    return id;
  }

  /** @param {number} parent node or -1 @param {number} functionId @returns {number} node */
  node(parent, functionId) {
    const key = (parent + 1) * MAX_FUNCTIONS + functionId;
    let id = this.#nodeIds.get(key);
    if (id === undefined) {
      id = this.functions.push(functionId) - 1;
      this.parents.push(parent);
      this.#nodeIds.set(key, id);
    }
    return id;
  }

  /** @param {ProfilerTrace} trace that was checked @returns {number[]} node of each sample, or `IDLE` */
  addSamples(trace) {
    const { samples, stacks } = trace;
    /** @type {number[]} */
    const functionOfFrame = [];
    const nodes = new Int32Array(stacks.length).fill(IDLE);
    // Only what samples have: a trace may hold more. Without recursion, since stacks are as deep as the page's were.
    for (const { stackId } of samples) {
      const path = [];
      let id = stackId;
      for (; id !== undefined && nodes[id] === IDLE; id = stacks[id].parentId) path.push(id);
      let node = id === undefined ? -1 : nodes[id];
      for (const each of path.reverse()) {
        const { frameId } = stacks[each];
        functionOfFrame[frameId] ??= this.functionId(locationOf(trace, frameId));
        node = this.node(node, functionOfFrame[frameId]);
        nodes[each] = node;
      }
    }
    return samples.map(({ stackId }) => (stackId === undefined ? IDLE : nodes[stackId]));
  }
}
