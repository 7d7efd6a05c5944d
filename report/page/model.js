/** @import { PageProfile } from './page_data.js' */

/** @typedef {{ms: number, samples: number}} Amount */

/**
 * A row of a table.
 *
 * @typedef {object} Row
 * @property {number} functionId
 * @property {Amount} self
 * @property {Amount | null} total null: makes no sense there
 * @property {boolean} hasChildren
 * @property {() => Row[]} children
 */

/** What a profile says about a range of its time. */
export class Model {
  #profile;
  /** By node. */
  #self;
  /** By node, with all below. */
  #total;
  /** @type {number[][]} by node; the last one: without a caller */
  #childrenOf;
  idle = { ms: 0, samples: 0 };
  busy = { ms: 0, samples: 0 };

  /**
   * @param {PageProfile} profile
   * @param {(sample: number) => boolean} isIn
   */
  constructor(profile, isIn) {
    this.#profile = profile;
    const { functionOfNode, parentOfNode, nodeOfSample, msOfSample, countOfSample } = profile;
    const amounts = () => functionOfNode.map(() => ({ ms: 0, samples: 0 }));
    this.#self = amounts();
    this.#total = amounts();
    nodeOfSample.forEach((node, i) => {
      if (!isIn(i)) return;
      const amount = { ms: msOfSample[i], samples: countOfSample?.[i] ?? 1 };
      add(node < 0 ? this.idle : this.busy, amount);
      if (node >= 0) add(this.#self[node], amount);
    });
    /** @type {number[][]} */
    this.#childrenOf = [...functionOfNode.map(() => []), []];
    for (let node = functionOfNode.length - 1; node >= 0; node--) {
      add(this.#total[node], this.#self[node]);
      const parent = parentOfNode[node];
      if (parent >= 0) add(this.#total[parent], this.#total[node]);
      if (this.#total[node].samples > 0) this.#childrenOf.at(parent)?.push(node);
    }
  }

  /** Calls: what was called from outside, and within that. @returns {Row[]} */
  topDown() {
    return this.#callees(-1);
  }

  /** Functions, and who called them while they were at work themselves. @returns {Row[]} */
  bottomUp() {
    const { functions, functionOfNode } = this.#profile;
    const rows = functions.map((_, functionId) => ({
      functionId,
      self: { ms: 0, samples: 0 },
      total: { ms: 0, samples: 0 },
      /** @type {Origin[]} */
      origins: [],
    }));
    functionOfNode.forEach((functionId, node) => {
      const row = rows[functionId];
      // A function that is its own caller counts once.
      if (!this.#isCalledByItself(node)) add(row.total, this.#total[node]);
      add(row.self, this.#self[node]);
      if (this.#self[node].samples > 0) row.origins.push({ at: node, amount: this.#self[node] });
    });
    return rows
      .filter(({ total }) => total.samples > 0)
      .map(({ functionId, self, total, origins }) => this.#bottomUpRow(functionId, self, total, origins));
  }

  /** @param {number} parent @returns {Row[]} */
  #callees(parent) {
    return (this.#childrenOf.at(parent) ?? []).map((node) => ({
      functionId: this.#profile.functionOfNode[node],
      self: this.#self[node],
      total: this.#total[node],
      hasChildren: this.#childrenOf[node].length > 0,
      children: () => this.#callees(node),
    }));
  }

  /**
   * @param {number} functionId @param {Amount} self @param {Amount | null} total @param {Origin[]} origins
   * @returns {Row}
   */
  #bottomUpRow(functionId, self, total, origins) {
    const { parentOfNode } = this.#profile;
    return {
      functionId,
      self,
      total,
      hasChildren: origins.some(({ at }) => parentOfNode[at] >= 0),
      children: () => this.#callers(origins),
    };
  }

  /** @param {Origin[]} origins @returns {Row[]} */
  #callers(origins) {
    const { parentOfNode, functionOfNode } = this.#profile;
    /** @type {Map<number, {self: Amount, origins: Origin[]}>} */
    const byFunction = new Map();
    for (const { at, amount } of origins) {
      const parent = parentOfNode[at];
      if (parent < 0) continue;
      const functionId = functionOfNode[parent];
      const caller = byFunction.get(functionId) ?? { self: { ms: 0, samples: 0 }, origins: [] };
      add(caller.self, amount);
      caller.origins.push({ at: parent, amount });
      byFunction.set(functionId, caller);
    }
    return [...byFunction].map(([functionId, caller]) =>
      this.#bottomUpRow(functionId, caller.self, null, caller.origins),
    );
  }

  /** @param {number} node */
  #isCalledByItself(node) {
    const { parentOfNode, functionOfNode } = this.#profile;
    for (let each = parentOfNode[node]; each >= 0; each = parentOfNode[each]) {
      if (functionOfNode[each] === functionOfNode[node]) return true;
    }
    return false;
  }
}

/** @typedef {{at: number, amount: Amount}} Origin node that a caller is looked for, and what it accounts for */

/** @param {Amount} part @param {Amount} whole @returns {number} 0 to 1: of the time or, where samples are of no time, of these */
export function shareOf(part, whole) {
  return whole.ms > 0 ? part.ms / whole.ms : part.samples / whole.samples;
}

/** @param {Amount} target @param {Amount} amount */
function add(target, { ms, samples }) {
  target.ms += ms;
  target.samples += samples;
}
