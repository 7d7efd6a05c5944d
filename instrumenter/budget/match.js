import { calibratedNames } from './calibrated_names.js';

/** @typedef {import('./calibration.js').CalibratedFunction} CalibratedFunction */
/** @typedef {import('./function_keys.js').FunctionKey} FunctionKey */

/**
 * Which function of a calibration is which of a build that may be another one. In this order: the same name and shape; the same shape,
 * if only one on either side is left that has it (somebody or a minifier gave it another name); the same name, in the order of the text
 * (it was edited).
 * @template T
 * @param {Map<T, FunctionKey>} keys
 * @param {Record<string, CalibratedFunction[]>} sources of the calibration
 * @returns {Map<T, CalibratedFunction>} without those that the calibration does not know
 */
export function matchFunctions(keys, sources) {
  /** @type {Map<T, CalibratedFunction>} */
  const matched = new Map();
  const groups = bySource(keys);
  const nameOf = calibratedNames([...groups.keys()], sources);
  for (const [source, functions] of groups) {
    const name = nameOf(source);
    const left = new Set(Object.hasOwn(sources, name) ? sources[name] : []);
    const open = new Map(functions);
    /** @param {T} fn @param {CalibratedFunction} entry */
    const match = (fn, entry) => {
      matched.set(fn, entry);
      open.delete(fn);
      left.delete(entry);
    };
    const exact = new Map([...left].map((entry) => [`${entry[0]}\n${entry[1]}`, entry]));
    for (const [fn, { name, shape }] of functions) {
      const entry = exact.get(`${name}\n${shape}`);
      if (entry) match(fn, entry);
    }
    const shapes = grouped(left, (entry) => entry[1]);
    for (const [shape, fns] of grouped(
      open.keys(),
      (fn) => /** @type {FunctionKey} */ (open.get(fn)).shape,
    )) {
      const entries = shapes.get(shape) ?? [];
      if (fns.length === 1 && entries.length === 1) match(fns[0], entries[0]);
    }
    const names = grouped(left, (entry) => entry[0]);
    for (const [name, fns] of grouped(open.keys(), (fn) => /** @type {FunctionKey} */ (open.get(fn)).name)) {
      (names.get(name) ?? []).slice(0, fns.length).forEach((entry, i) => match(fns[i], entry));
    }
  }
  return matched;
}

/** @template T @param {Map<T, FunctionKey>} keys @returns {Map<string, Map<T, FunctionKey>>} */
function bySource(keys) {
  /** @type {Map<string, Map<T, FunctionKey>>} */
  const groups = new Map();
  for (const [fn, key] of keys) {
    const group = groups.get(key.source) ?? new Map();
    groups.set(key.source, group.set(fn, key));
  }
  return groups;
}

/** @template T @param {Iterable<T>} items @param {(item: T) => string} keyOf @returns {Map<string, T[]>} */
function grouped(items, keyOf) {
  /** @type {Map<string, T[]>} */
  const groups = new Map();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
