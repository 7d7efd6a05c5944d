import { encodedMap, FlattenMap } from '@jridgewell/trace-mapping';

/**
 * @param {string | object} map source map, or its JSON; some bundlers write maps of sections
 * @returns {any} source map without sections
 */
export function flatMap(map) {
  const whole = typeof map === 'string' ? JSON.parse(map) : map;
  return 'sections' in whole ? encodedMap(new FlattenMap(whole)) : whole;
}
