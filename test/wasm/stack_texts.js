import fc from 'fast-check';

/**
 * Stack texts as the three engines write them.
 *
 * @typedef {{name: string, url: string, line: number, column: number}} Call
 */

/** @param {Call[]} calls leaf first @returns {string} as V8 writes it */
function v8Text(calls) {
  const lines = calls.map(({ name, url, line, column }) => {
    const place = `${url}:${line}:${column}`;
    return name === '' ? `    at ${place}` : `    at ${name} (${place})`;
  });
  return ['Error', ...lines].join('\n');
}

/** @param {Call[]} calls leaf first @returns {string} as SpiderMonkey and JSC write it */
function atSignText(calls) {
  return calls.map(({ name, url, line, column }) => `${name}@${url}:${line}:${column}\n`).join('');
}

/** How an engine writes its stacks. */
export const engineText = fc.constantFrom(v8Text, atSignText);

/** Names that a text does not tell apart from decoration are left out: what engines add is for the C++ tests. */
export const functionName = fc.constantFrom(
  '',
  'f',
  'g',
  'ünïcode',
  '#private',
  'get size',
  'key (with) @ signs:1:2',
  '𝓤',
);
