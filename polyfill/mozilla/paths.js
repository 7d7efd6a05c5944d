/**
 * @typedef {object} FunctionPlace
 * @property {string} name
 * @property {string} file address of its script; empty if nobody knows
 * @property {number} line of its definition, from 1; 0: nobody knows
 * @property {number} column likewise
 *
 * @typedef {{resources: string[], frames: any[], stacks: {frameId: number, parentId?: number}[], samples: {timestamp: number, stackId?: number}[]}} Trace
 */

/** A path that nothing is above. */
export const ROOT = -1;

/**
 * Stacks of several traces by one numbering: a path is a function and the path that called it. Callers have smaller numbers than what they
 * call, since an id is only ever given out for a parent that has one.
 */
export class Paths {
  /** @type {FunctionPlace[]} by path */
  #functions = [];
  /** @type {number[]} by path */
  #parents = [];
  /** @type {Map<string, number>} */
  #ids = new Map();

  /** @param {Trace} trace @returns {number[]} path by `stackId` */
  ofStacks({ resources, frames, stacks }) {
    const functions = frames.map(({ name, resourceId, line = 0, column = 0 }) => ({
      name,
      file: resources[resourceId] ?? '',
      line,
      column,
    }));
    const keys = functions.map((place) => JSON.stringify(Object.values(place)));
    /** @type {number[]} */
    const paths = [];
    for (const { frameId, parentId } of stacks) {
      const parent = parentId === undefined ? ROOT : paths[parentId];
      const key = `${parent} ${keys[frameId]}`;
      let id = this.#ids.get(key);
      if (id === undefined) {
        id = this.#functions.push(functions[frameId]) - 1;
        this.#parents.push(parent);
        this.#ids.set(key, id);
      }
      paths.push(id);
    }
    return paths;
  }

  get size() {
    return this.#functions.length;
  }

  /** @param {number} path @returns {FunctionPlace} a copy */
  functionOf(path) {
    return { ...this.#functions[path] };
  }

  /** @param {number} path @returns {number} `ROOT`: nobody */
  callerOf(path) {
    return this.#parents[path];
  }

  /** @param {number} path @returns {FunctionPlace[]} from the outermost caller on */
  stackOf(path) {
    const stack = [];
    for (let at = path; at !== ROOT; at = this.#parents[at]) stack.push(this.functionOf(at));
    return stack.reverse();
  }
}
