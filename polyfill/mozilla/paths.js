/**
 * @typedef {object} FunctionPlace
 * @property {string} name
 * @property {string} file address of its script; empty if nobody knows
 * @property {number} line of its definition, from 1; 0: nobody knows
 * @property {number} column likewise
 *
 * @typedef {{resources: string[], frames: any[], stacks: {frameId: number, parentId?: number}[], samples: {timestamp: number, stackId?: number}[]}} Trace
 */

/** @import { Site } from './attribution.js' */

/** A path that nothing is above. */
export const ROOT = -1;

/** @param {Trace['stacks']} stacks @param {number} stackId @returns {number[]} frames, leaf first */
function framesOf(stacks, stackId) {
  const frames = [];
  for (let id = /** @type {number | undefined} */ (stackId); id !== undefined; id = stacks[id].parentId) {
    frames.push(stacks[id].frameId);
  }
  return frames;
}

/**
 * Stacks of several traces by one numbering: a path is a function, where it was called, and the path that called it. Callers have smaller numbers than what they
 * call, since an id is only ever given out for a parent that has one.
 */
export class Paths {
  /** @type {FunctionPlace[]} by path */
  #functions = [];
  /** @type {(Site | null)[]} by path */
  #sites = [];
  /** @type {number[]} by path */
  #parents = [];
  /** @type {Map<string, number>} */
  #ids = new Map();

  /**
   * @param {Trace} trace
   * @returns {(stackId: number, sites?: Site[]) => number} the path of a stack; `sites`: where each of its functions was, leaf first
   */
  of({ resources, frames, stacks }) {
    const functions = frames.map(({ name, resourceId, line = 0, column = 0 }) => ({
      name,
      file: resources[resourceId] ?? '',
      line,
      column,
    }));
    const keys = functions.map((place) => JSON.stringify(Object.values(place)));
    /** By what is known of the sites, and by stack. @type {Map<Site[] | undefined, number[]>} */
    const known = new Map();
    return (stackId, sites) => {
      const paths = known.get(sites) ?? [];
      known.set(sites, paths);
      return (paths[stackId] ??= this.#intern(framesOf(stacks, stackId), functions, keys, sites));
    };
  }

  /** @param {number[]} frames leaf first @param {FunctionPlace[]} functions by frame @param {string[]} keys by frame @param {Site[]} [sites] */
  #intern(frames, functions, keys, sites) {
    // Another number of them: an engine that tells a frame twice, or not.
    const calls = sites?.length === frames.length ? sites : [];
    let path = ROOT;
    for (let i = frames.length - 1; i >= 0; i--) {
      const site = calls[i + 1] ?? null;
      const key = `${path} ${site?.line}:${site?.column} ${keys[frames[i]]}`;
      let id = this.#ids.get(key);
      if (id === undefined) {
        id = this.#functions.push(functions[frames[i]]) - 1;
        this.#sites.push(site);
        this.#parents.push(path);
        this.#ids.set(key, id);
      }
      path = id;
    }
    return path;
  }

  get size() {
    return this.#functions.length;
  }

  /** @param {number} path @returns {FunctionPlace} a copy */
  functionOf(path) {
    return { ...this.#functions[path] };
  }

  /** @param {number} path @returns {Site | null} where in its caller the function was called, a copy; null: nobody knows */
  siteOf(path) {
    const site = this.#sites[path];
    return site && { ...site };
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
