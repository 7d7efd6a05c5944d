import { originOfFunction } from '../tables/origins.js';
import { shapeOf } from './shape.js';

/**
 * What a calibration calls a function. It has to mean the same function in the next build: after edits elsewhere, and in a bundle that a
 * minifier wrote with other names.
 *
 * @typedef {import('../functions/function_record.js').FunctionRecord} FunctionRecord
 * @typedef {object} FunctionKey
 * @property {string} source path of the original file
 * @property {string} name its own and those of the functions around it, the outermost first: `render>map>`
 * @property {string} shape see shapeOf; of functions with the same source, name and shape the second one has `.2` at its end, and so on
 */

/**
 * @param {FunctionRecord[]} records of a script
 * @param {number} base the script's offset in its file
 * @param {import('../tables/origins.js').OriginOf} originOf
 * @returns {Map<FunctionRecord, FunctionKey>} of those that may have probes
 */
export function functionKeys(records, base, originOf) {
  /** @type {Map<FunctionRecord, string>} */
  const names = new Map();
  /** @type {Map<string, number>} */
  const seen = new Map();
  /** @type {Map<FunctionRecord, FunctionKey>} */
  const keys = new Map();
  for (const record of records) {
    const origin = originOfFunction(record, base, originOf);
    const own = origin?.name || record.name.text;
    // What wraps a whole bundle has no name, and says nothing.
    const around = record.parent ? names.get(record.parent) : '';
    const path = around ? `${around}>${own}` : own;
    names.set(record, path);
    const name = record.kind === 'top' ? '(top level)' : path;
    if (record.kind !== 'top' && record.kind !== 'function') continue;
    const source = plainSource(origin?.source ?? '');
    const shape = shapeOf(record.node);
    const text = `${source}\n${name}\n${shape}`;
    const count = (seen.get(text) ?? 0) + 1;
    seen.set(text, count);
    keys.set(record, { source, name, shape: count > 1 ? `${shape}.${count}` : shape });
  }
  return keys;
}

/** Digests in names of files that bundlers write: they change with every edit. Names of a word and a digit are left alone mostly by their length. */
const DIGEST = /[-.](?=[\w-]*\d)(?:[\w-]{8}|[\w-]{16}|[\w-]{20}|[\w-]{32})(?=\.[cm]?js$)/;

/** @param {string} source @returns {string} the same for the same file, wherever the build is and whatever it holds */
function plainSource(source) {
  return source.replace(/^(?:\.\.\/)+/, '').replace(DIGEST, '');
}
