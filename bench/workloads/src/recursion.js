import { parse } from 'acorn';
import { Digest } from '../../../examples/workloads/lib/digest.js';

/**
 * acorn, a recursive descent parser, parses the sources of libraries, and a recursive walk looks at every node.
 *
 * @typedef {Record<string, string>} Input module sources by path
 */

/** Rounds over all sources at scale 1. */
const ROUNDS = 12;

/** @param {Input} input @param {number} scale share of the rounds @returns {string} digest of the kinds of nodes */
export function run(input, scale) {
  const digest = new Digest();
  const rounds = Math.ceil(ROUNDS * scale);
  for (let round = 0; round < rounds; round++) {
    for (const source of Object.values(input)) {
      const program = parse(source, { ecmaVersion: 'latest', sourceType: 'module' });
      digest.add(String(sizeOf(program)));
    }
  }
  return String(digest);
}

/** @param {any} node @returns {number} nodes and the lengths of their kinds' names, of the whole tree */
function sizeOf(node) {
  let size = node.type.length;
  for (const key of Object.keys(node)) {
    const value = node[key];
    if (Array.isArray(value)) {
      for (const item of value) if (item && typeof item.type === 'string') size += sizeOf(item);
    } else if (value && typeof value === 'object' && typeof value.type === 'string') {
      size += sizeOf(value);
    }
  }
  return size;
}
