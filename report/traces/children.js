/** Lists of nodes, by parent. */
export class Children {
  #first;
  #next;

  /** @param {number} last the highest node; 0 is none */
  constructor(last) {
    this.#first = new Int32Array(last + 1);
    this.#next = new Int32Array(last + 1);
  }

  /** Before those that are there. @param {number} parent @param {number} child */
  add(parent, child) {
    this.#next[child] = this.#first[parent];
    this.#first[parent] = child;
  }

  /** @param {number} parent @returns {number[]} */
  of(parent) {
    const children = [];
    for (let id = this.#first[parent]; id !== 0; id = this.#next[id]) children.push(id);
    return children;
  }
}
