import { locationKey, locationOf } from './location.js';

/** @import { ProfilerTrace } from '../reading/check_trace.js' */
/** @import { Location } from './location.js' */

/** In place of a node: nothing was running. */
export const IDLE = -1;

/** In place of a node in the hash table. */
const EMPTY = -1;

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
  /** Nodes by hash, with linear probing and at most half full: a `Map` would take most of the memory. */
  #slots = new Int32Array(64).fill(EMPTY);

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
    let slot = this.#slotOf(parent, functionId);
    if (this.#slots[slot] !== EMPTY) return this.#slots[slot];
    const id = this.functions.push(functionId) - 1;
    this.parents.push(parent);
    if (2 * this.functions.length > this.#slots.length) {
      this.#grow();
      slot = this.#slotOf(parent, functionId);
    }
    this.#slots[slot] = id;
    return id;
  }

  /** @param {number} parent @param {number} functionId @returns {number} where the node is or would be */
  #slotOf(parent, functionId) {
    const slots = this.#slots;
    const mask = slots.length - 1;
    const hash = Math.imul(Math.imul(parent, 0x9e3779b1) ^ functionId, 0x85ebca6b);
    for (let slot = (hash ^ (hash >>> 15)) & mask; ; slot = (slot + 1) & mask) {
      const id = slots[slot];
      if (id === EMPTY || (this.functions[id] === functionId && this.parents[id] === parent)) return slot;
    }
  }

  /** All nodes but the newest are in. */
  #grow() {
    this.#slots = new Int32Array(2 * this.#slots.length).fill(EMPTY);
    for (let id = 0; id < this.functions.length - 1; id++) {
      this.#slots[this.#slotOf(this.parents[id], this.functions[id])] = id;
    }
  }

  /** @param {number} node or `IDLE` @returns {number[]} functions, innermost first */
  path(node) {
    const path = [];
    for (let each = node; each !== -1; each = this.parents[each]) path.push(this.functions[each]);
    return path;
  }

  /** @param {ProfilerTrace} trace that was checked @returns {number[]} node of each sample, or `IDLE` */
  addSamples(trace) {
    const { samples, stacks } = trace;
    /** @type {number[]} */
    const functionOfFrame = [];
    const nodes = new Int32Array(stacks.length).fill(IDLE);
    // Only what samples have: a trace may hold more. Without recursion, since stacks are as deep as the page's were.
    for (const { stackId } of samples) {
      if (stackId === undefined || nodes[stackId] !== IDLE) continue;
      const path = [];
      /** @type {number | undefined} */
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
