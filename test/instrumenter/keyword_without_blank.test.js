import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { instrument } from '../../instrumenter/instrument.js';

/** What minifiers write: no blank between a keyword and a value that cannot be taken for its continuation. */
const VALUES = [
  '"text"',
  '`a${1}`',
  '!1',
  '-1',
  '[1].concat(2)',
  '{a:1,b:[]}',
  '(x=1,x+1)',
  '(1)',
  '+x.y',
  '/a/.source',
];

for (const value of VALUES) {
  test(`return${value} runs as it did`, () => {
    const code = `var x={y:2};(function(){return${value}})()`;
    assert.deepEqual(runInstrumented(code), evaluate(code));
  });
}

test('throw and await without a blank run as they did', async () => {
  const thrown = 'try{(function(){throw[1].concat(2)})()}catch(e){e}';
  assert.deepEqual(runInstrumented(thrown), evaluate(thrown));
  const awaited =
    '(async function(){let s=await[1].concat(2);for await(let x of[3].concat(4))s.push(x);return[s]})()';
  assert.deepEqual(await runInstrumented(awaited), await evaluate(awaited));
});

/** @param {string} code */
const evaluate = (code) => plain(runInNewContext(code));

/** @param {string} code */
const runInstrumented = (code) => {
  const { code: output } = instrument(code, { file: 'a.js', minWeight: 0, sourceType: 'script' });
  assert.match(output, /__ppH\.l/);
  return plain(runInNewContext(output));
};

/** Values of another realm have other prototypes. @param {any} value */
const plain = (value) =>
  typeof value?.then === 'function'
    ? value.then(plain)
    : value === undefined
      ? value
      : JSON.parse(JSON.stringify(value));
