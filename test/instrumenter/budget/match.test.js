import assert from 'node:assert/strict';
import { test } from 'node:test';
import { instrument } from '../../../instrumenter/instrument.js';
import { listFunctions } from '../../../instrumenter/budget/list_functions.js';
import { calibratedNames } from '../../../instrumenter/budget/calibrated_names.js';
import { matchFunctions } from '../../../instrumenter/budget/match.js';

/** @typedef {import('../../../instrumenter/budget/calibration.js').CalibratedFunction} CalibratedFunction */

const PROGRAM = `
function add(a, b) { return a + b }
function scale(list, by) { return list.map((x) => x * by) }
class Cart { total() { let sum = 0; for (const item of this.items) sum = add(sum, item.price); return sum } }
function same(x) { return x.y } function again(x) { return x.y }`;

/** @param {string} code @param {object} [options] */
const keysOf = (code, options) =>
  new Map(
    listFunctions(code, { file: 'a.js', minWeight: 0, ...options }).map((fn) => [
      `${fn.line}:${fn.column}`,
      fn.key,
    ]),
  );

/** A calibration in which the nth function was called n times. @param {string} code */
function calibrated(code) {
  const functions = [...keysOf(code).values()].map(
    ({ name, shape }, i) => /** @type {CalibratedFunction} */ ([name, shape, i, 1]),
  );
  return { 'a.js': functions };
}

/** @param {string} code @param {Record<string, CalibratedFunction[]>} sources @returns {number[]} whose counts its functions have, in order */
function found(code, sources) {
  const keys = keysOf(code);
  const matched = matchFunctions(keys, sources);
  return [...keys.keys()].map((place) => matched.get(place)?.[2] ?? -1);
}

test('a function with a long list in it has a key', () => {
  const [key] = keysOf(`const list = [${'0,'.repeat(200_000)}]; f(list)`).values();
  assert.match(key.shape, /^\w+$/);
});

test('the same program has the same counts', () => {
  assert.deepEqual(found(PROGRAM, calibrated(PROGRAM)), [0, 1, 2, 3, 4, 5, 6]);
});

test('code before, between and behind functions does not move their counts', () => {
  const edited = `import './x.js'; const y = 2;\n${PROGRAM.replace('class Cart', 'function isNew(q) { return q ? 1 : 2 }\nclass Cart')}; console.log(y)`;
  assert.deepEqual(found(edited, calibrated(PROGRAM)).slice(1), [1, 2, 3, -1, 4, 5, 6]);
});

test('a function that was edited keeps its counts by its name', () => {
  const edited = PROGRAM.replace('return a + b', 'if (!b) return a; return a + b').replace(
    'x * by',
    'x * by + 1',
  );
  assert.deepEqual(found(edited, calibrated(PROGRAM)), [0, 1, 2, 3, 4, 5, 6]);
});

test('a function that got another name keeps its counts by its shape', () => {
  const edited = PROGRAM.replaceAll('add', 'plus').replaceAll('scale', 'times');
  assert.deepEqual(found(edited, calibrated(PROGRAM)), [0, 1, 2, 3, 4, 5, 6]);
});

test('names that a minifier gives away anew do not exchange counts', () => {
  const before = 'function a(x) { return x + 1 } function b(x) { return x.call(2, 3) }';
  const after =
    'function z(x) { return [x] } function b(x) { return x + 1 } function a(x) { return x.call(2, 3) }';
  assert.deepEqual(found(after, calibrated(before)).slice(1), [-1, 1, 2]);
});

test('a source that the calibration does not know has no counts', () => {
  assert.deepEqual(found(PROGRAM, { 'b.js': calibrated(PROGRAM)['a.js'] }), Array(7).fill(-1));
});

/** @param {string} file @param {string} source of the calibration @returns {number} functions that are found */
function foundIn(file, source) {
  const matched = matchFunctions(keysOf(PROGRAM, { file }), { [source]: calibrated(PROGRAM)['a.js'] });
  return matched.size;
}

test('a calibration may be made in a folder above or below that of the build', () => {
  assert.equal(foundIn('src/a.js', 'packages/shop/src/a.js'), 7);
  assert.equal(foundIn('packages/shop/src/a.js', 'src/a.js'), 7);
});

test('a file of the same name in another folder is another one', () => {
  assert.equal(foundIn('src/a.js', 'lib/a.js'), 0);
  assert.equal(foundIn('node_modules/other/index.js', 'index.js'), 0);
  assert.equal(foundIn('src/a.js', 'src/extra.js'), 0);
});

test('a folder that all sources have more is no part of their names, and one that a single source has is', () => {
  const nameOf = calibratedNames(['src/a.js', 'src/b.js', 'lib/x.js'], {
    'shop/src/a.js': 1,
    'shop/src/b.js': 1,
    'vendor/lib/x.js': 1,
  });
  assert.equal(nameOf('src/b.js'), 'shop/src/b.js');
  assert.equal(nameOf('lib/x.js'), 'shop/lib/x.js');
});

test('where one source is known by its whole path, all are', () => {
  const nameOf = calibratedNames(['src/a.js', 'src/b.js'], { 'src/a.js': 1, 'shop/src/b.js': 1 });
  assert.equal(nameOf('src/b.js'), 'src/b.js');
});

test('digests in file names do not matter', () => {
  const [first] = keysOf(PROGRAM, { file: 'assets/index-B7f3kQ9x.js' }).values();
  const [second] = keysOf(PROGRAM, { file: 'assets/index-9xKq2LmZ.js' }).values();
  assert.equal(first.source, second.source);
  assert.equal(first.source, 'assets/index.js');
});

test('counting probes count every call, and resuming as a call', async () => {
  const code = `
    function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2) }
    function* three() { yield 1; yield 2; yield 3 }
    async function waits() { await 0; await 0; return 1 }
    const arrow = (x) => x;
    class A { constructor() { arrow(1) } get x() { return arrow(2) } }
    fib(10); [...three()]; new A().x;
    globalThis.__done = waits();`;
  const realm = /** @type {any} */ (globalThis);
  new Function(instrument(code, { probe: 'count', minWeight: 0 }).code)();
  await realm.__done;
  const [{ functions, calls }] = realm.__polyprof_calibration__.scripts;
  const counts = Object.fromEntries(
    functions.map((/** @type {string[]} */ [, name], /** @type {number} */ i) => [name, calls[i]]),
  );
  assert.deepEqual(counts, { '(top level)': 1, fib: 177, three: 4, waits: 3, arrow: 2, A: 1, 'get x': 1 });
});

test('classic scripts of a page count each on their own', () => {
  const realm = /** @type {any} */ (globalThis);
  delete realm.__polyprof_calibration__;
  const indirect = eval;
  for (const name of ['one', 'two']) {
    indirect(
      instrument(`function ${name}() { return 1 }`, { probe: 'count', minWeight: 0, file: `${name}.js` })
        .code,
    );
  }
  for (let i = 0; i < 3; i++) realm.one();
  realm.two();
  /** @type {string[]} */
  const reports = [];
  realm.__polyprof_counts__ = (/** @type {string} */ text) => reports.push(text);
  realm.__polyprof_calibration__.report();
  realm.one();
  realm.__polyprof_calibration__.report();
  realm.__polyprof_calibration__.report();
  const rows = reports.map((text) =>
    JSON.parse(text).map((/** @type {any[]} */ row) => [row[0], row[1], row[4]]),
  );
  assert.deepEqual(rows, [
    [
      ['one.js', '(top level)', 1],
      ['one.js', 'one', 3],
      ['two.js', '(top level)', 1],
      ['two.js', 'two', 1],
    ],
    [['one.js', 'one', 1]],
  ]);
});
