import { decodedMap as decode, FlattenMap } from '@jridgewell/trace-mapping';

/**
 * @param {string | object} map source map, or its JSON; some bundlers write maps of sections
 * @returns {import('@jridgewell/trace-mapping').DecodedSourceMap} the same without sections, and decoded: who reads it next need not
 */
export function decodedMap(map) {
  return /** @type {any} */ (decode(new FlattenMap(/** @type {any} */ (map))));
}
