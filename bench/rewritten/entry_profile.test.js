import assert from 'node:assert/strict';
import { test } from 'node:test';
import { entryChecks } from './entry_check.js';
import { checkedFunctions, traceOfChecks } from './entry_profile.js';

const WORK =
  'let sum = 0; for (const x of list) sum += Math.hypot(x, sum) + Math.sqrt(x) + Math.abs(x) + Math.cbrt(x) + Math.exp(x) + Math.log(x) + Math.sin(x);';
const CODE = entryChecks(`function outer(list) { 'use strict'; ${WORK} return sum + inner(list);
  function inner(list) { ${WORK} return sum; } }
function light() { return 1; }`);

/** @param {string} text @returns {string} place of it in the code */
function placeOf(text) {
  const before = CODE.slice(0, CODE.indexOf(text)).split('\n');
  return `${before.length}:${before[before.length - 1].length + 1}`;
}

test('functions with an entry check are known by the places that engines say', () => {
  const places = checkedFunctions(CODE).map(({ line, column }) => `${line}:${column}`);
  assert.deepEqual(places, [placeOf('function outer'), placeOf('function inner')].map(afterName));
});

/** Engines say where the parameters begin. @param {string} place */
function afterName(place) {
  const [line, column] = place.split(':').map(Number);
  return `${line}:${column + 'function outer'.length}`;
}

test('a sample of entry checks is of the innermost function that was entered', () => {
  const at = (/** @type {string} */ text) =>
    `Error\n    at realm.__ecC (p.js:1:9)\n    at f (p.js:${placeOf(text)})\n    at p.js:9:9`;
  const { frames, stacks, samples } = traceOfChecks(
    [
      [1, at("'use strict'")],
      [2, at('return sum; }')],
      [3, at('return sum + inner')],
    ],
    CODE,
    checkedFunctions(CODE),
  );
  const places = samples.map(({ stackId }) => {
    const { line, column } = frames[stacks[/** @type {number} */ (stackId)].frameId];
    return `${line}:${column}`;
  });
  const [outer, inner] = ['function outer', 'function inner'].map((text) => afterName(placeOf(text)));
  assert.deepEqual(places, [outer, inner, outer]);
});
