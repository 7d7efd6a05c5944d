import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import test from 'node:test';
import { stackError, textFrom, textOf } from '../../polyfill/capture/stack_text.js';

/** What the polyfill reads of V8's stacks. */

const MODULE = new URL('../../polyfill/capture/stack_text.js', import.meta.url);

/** @param {string} text @returns {string[]} its lines, without folders */
const linesOf = (text) => text.split('\n').map((line) => line.replace(/(@|\()file:\S*\//g, '$1'));

test('each frame has a line with its name and where its function begins', () => {
  const inner = () => textOf(stackError());
  const outer = { method: () => [1].map(inner)[0] };
  const [own, first, second, third] = linesOf(outer.method());
  assert.match(own, /^stackError@stack_text\.js:\d+:8$/);
  assert.match(first, /^inner@stack_text\.test\.js:14:17$/);
  assert.match(second, /^map@$/);
  assert.match(third, /^method@stack_text\.test\.js:15:27$/);
});

test('what waits for a promise is not on the stack, and what comes from eval has no place', async () => {
  const read = () => textOf(stackError());
  /** @param {() => string} run */
  async function waiting(run) {
    await null;
    return run();
  }
  async function outer() {
    return await waiting(read);
  }
  const names = linesOf(await outer())
    .map((line) => line.split('@')[0])
    // What runs microtasks in Node; its 26th version has it on the stack, its 20th has not.
    .filter((name) => name !== 'processTicksAndRejections');
  assert.deepEqual(names, ['stackError', 'read', 'waiting', '']);
  const evaluated = linesOf(
    (0, eval)('(function inEval(read) { return read(); })\n//# sourceURL=x.js')(read),
  );
  assert.equal(evaluated[2], 'inEval@');
});

test('what a page has done to Error is there again', () => {
  assert.match(
    textFrom(() => new Error('why\nso').stack, 1),
    /^@\S+:\d+:\d+\n$/,
  );
  const { stackTraceLimit } = Error;
  const PageError = /** @type {any} */ (Error);
  for (const prepare of [() => 'mine', undefined]) {
    Object.assign(PageError, { prepareStackTrace: prepare, stackTraceLimit: 0 });
    try {
      assert.match(textOf(stackError()), /^stackError@/);
      assert.deepEqual([Error.prepareStackTrace, Error.stackTraceLimit], [prepare, 0]);
    } finally {
      delete PageError.prepareStackTrace;
      Object.assign(PageError, { stackTraceLimit });
    }
  }
});

test("where nobody can set Error's properties, what V8 writes by itself is put into the same words", () => {
  const prepare = (/** @type {Error} */ error, /** @type {any[]} */ sites) =>
    [error, ...sites].join('\n\tat ');
  for (const change of [
    'Object.freeze(Error)',
    `Object.defineProperty(Error, 'prepareStackTrace', { get: () => ${prepare}, set() {} })`,
  ]) {
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script(change)]);
    assert.equal(String(stderr), '');
    const lines = linesOf(JSON.parse(String(stdout)));
    assert.deepEqual(
      lines.map((line) => line.replace(/:\d+(?=[:)]|$)/g, '')),
      [
        'stackError@stack_text.js',
        'new Inner@[eval1]',
        'async@[eval1]',
        'inEval@eval at <anonymous> ([eval1]), <anonymous>',
        '@[eval1]',
        'Array.map@<anonymous>',
        'a (key)@[eval1]',
        'waiting@[eval1]',
        '',
      ],
    );
  }
});

/** @param {string} change what a page does @returns {string} prints what is read of a stack then */
function script(change) {
  return `
    ${change};
    const { stackError, textOf } = await import(${JSON.stringify(MODULE.href)});
    class Inner { constructor() { this.text = textOf(stackError()); } }
    function async() { return new Inner().text; }
    const inEval = (0, eval)('(function inEval(run) { return run(); })');
    const keyed = { 'a (key)': () => [1].map(() => inEval(async))[0] };
    async function waiting() { await null; return keyed['a (key)'](); }
    async function waits() { return await waiting(); }
    process.stdout.write(JSON.stringify(await waits()));`;
}
