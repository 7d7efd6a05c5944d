import assert from 'node:assert/strict';
import inspector from 'node:inspector/promises';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import vm from 'node:vm';
import { FunctionFlag } from '../../instrumenter/tables/function_table.js';
import { instrument } from '../../instrumenter/instrument.js';
import { readFunctionTable } from '../../report/symbols/read_function_table.js';

const FILE = 'functions.js';
const CODE = readFileSync(new URL(`./fixtures/names/${FILE}`, import.meta.url), 'utf8');

test('names are what fn.name says, and positions are those that V8 reports', async () => {
  const { code, table } = instrument(CODE, { file: FILE, minWeight: 0, sourceType: 'script' });
  const { functions } = readFunctionTable(/** @type {Uint8Array} */ (table));
  const kept = await keptFunctions(code);
  assert.ok(kept.length > 80, `${kept.length} functions`);

  const found = new Set();
  for (const { name, line, column, text } of kept) {
    const fn = functions.find((candidate) => candidate.line === line && candidate.column === column);
    assert.ok(fn, `no function in the table at ${line}:${column}: ${text}`);
    found.add(fn);
    if (fn.flags & FunctionFlag.RUNTIME_NAME) assert.equal(fn.name, '', text);
    else assert.equal(fn.name, name, text);
  }
  const OTHERS = FunctionFlag.TOP_LEVEL | FunctionFlag.CLASS_INITIALIZER;
  const missed = functions.filter((fn) => !found.has(fn) && !(fn.flags & OTHERS));
  // What is called at once, and what a private accessor hides.
  assert.deepEqual(missed.map(({ name }) => name).sort(), ['', '', '', 'get #secret']);
});

test('a name that is made at run time is marked as such', () => {
  const functions = tableOf('const k = f(); ({ [k]() {}, get [k + 1]() { g() }, [k]: () => {} })');
  const computed = functions.filter((fn) => fn.flags & FunctionFlag.RUNTIME_NAME);
  assert.deepEqual(
    computed.map(({ name }) => name),
    ['', '', ''],
  );
});

test('the function of `export default` is called default', () => {
  for (const declaration of [
    'function () {}',
    'class { m() {} }',
    '() => {}',
    '(class {})',
    'async () => {}',
  ]) {
    const names = tableOf(`export default ${declaration}`).map(({ name }) => name);
    assert.ok(names.includes('default'), `${declaration}: ${names}`);
  }
  const own = tableOf('export default function own() {}').map(({ name }) => name);
  assert.deepEqual(own, ['', 'own']);
});

test('a class that is decorated begins at its keyword, and not at the word in a comment', () => {
  for (const head of ['', '@d ', '@d /* of a class */ export ', '@d(class {}) // class\n']) {
    const { code, table } = instrument(`${head}class Decorated { m() { f() } }`, { minWeight: 0 });
    const { functions } = readFunctionTable(/** @type {Uint8Array} */ (table));
    const implicit = functions.find(({ name }) => name === 'Decorated');
    assert.ok(implicit);
    const text = code.split('\n')[implicit.line - 1].slice(implicit.column - 1);
    assert.match(text, /^class Decorated/, head);
  }
});

test('ranges nest, and end where the function ends', () => {
  const { code, table } = instrument(CODE, { file: FILE, minWeight: 0, sourceType: 'script' });
  const { functions } = readFunctionTable(/** @type {Uint8Array} */ (table));
  const lines = code.split('\n');
  const offset = (/** @type {number} */ line, /** @type {number} */ column) =>
    lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0) + column - 1;
  /** @type {number[]} */
  const ends = [];
  for (const fn of functions) {
    const start = offset(fn.line, fn.column);
    const end = offset(fn.endLine, fn.endColumn);
    assert.ok(start < end, fn.name);
    while (ends.length > 0 && ends[ends.length - 1] <= start) ends.pop();
    assert.ok(ends.length === 0 || end <= ends[ends.length - 1], `${fn.name} ends after what is around it`);
    ends.push(end);
    if (fn.flags & (FunctionFlag.TOP_LEVEL | FunctionFlag.CLASS_INITIALIZER)) continue;
    const text = code.slice(start, end);
    assert.match(text, /^class$|^(\(|async\b|[a-z]\s*=>)[^]*(\}|\)|[\w$])$/, fn.name);
  }
});

/** @param {string} code */
function tableOf(code) {
  const { table } = instrument(code, { minWeight: 0 });
  return readFunctionTable(/** @type {Uint8Array} */ (table)).functions;
}

/**
 * @param {string} code
 * @returns {Promise<{name: string, line: number, column: number, text: string}[]>} what it gives to `keep`, with the definition
 *   positions that V8 reports, 1-based
 */
async function keptFunctions(code) {
  /** @type {Function[]} */
  const kept = [];
  const keep = (/** @type {Function[]} */ ...functions) => void kept.push(...functions);
  const session = new inspector.Session();
  session.connect();
  await session.post('Debugger.enable');
  try {
    vm.runInNewContext(code, { keep }, { filename: FILE });
    Object.assign(globalThis, { keptFunctions: kept });
    const found = [];
    for (const [index, fn] of kept.entries()) {
      const { result } = await session.post('Runtime.evaluate', { expression: `keptFunctions[${index}]` });
      const objectId = /** @type {string} */ (result.objectId);
      const { internalProperties } = await session.post('Runtime.getProperties', { objectId });
      const location = internalProperties?.find(({ name }) => name === '[[FunctionLocation]]')?.value?.value;
      assert.ok(location, `no location: ${fn}`);
      const { lineNumber, columnNumber } = location;
      found.push({ name: fn.name, line: lineNumber + 1, column: columnNumber + 1, text: String(fn) });
    }
    return found;
  } finally {
    Reflect.deleteProperty(globalThis, 'keptFunctions');
    session.disconnect();
  }
}
