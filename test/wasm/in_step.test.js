import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import binaryen from 'binaryen';
import { ABI_VERSION, Core, COUNTER_NAMES, createMemory, ProbePoint, Status } from '../../wasm/core.js';
import { attachSeat } from '../../wasm/core_seat.js';
import { coreModule } from './load_core.js';

/** What the C++ sources and wasm/core.js say twice. */

/** @param {string} path of the repository */
const source = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** @param {string} path @param {string} head before the braces @returns {string} what is between the braces, without comments */
function body(path, head) {
  const [, rest] = source(path).split(head);
  assert.ok(rest, `${path} has no ${head}`);
  return rest.slice(rest.indexOf('{') + 1, rest.indexOf('};')).replaceAll(/\/\/.*/g, '');
}

/** @param {string} path @param {string} head @returns {Record<string, number>} kTooMany = 3 as TOO_MANY: 3 */
function enumerators(path, head) {
  const all = [...body(path, head).matchAll(/\bk(\w+) = (\d+)/g)];
  assert.ok(all.length > 0);
  return Object.fromEntries(all.map(([, name, value]) => [upperSnake(name), Number(value)]));
}

/** @param {string} name */
const upperSnake = (name) => name.replaceAll(/(?<=.)([A-Z])/g, '_$1').toUpperCase();

/** @param {string} name */
const camel = (name) => name.replaceAll(/_(\w)/g, (_, letter) => letter.toUpperCase());

test('Status is that of runtime/status.h', () => {
  assert.deepEqual({ ...Status }, enumerators('runtime/status.h', 'enum class [[nodiscard]] Status'));
});

test('ProbePoint is that of runtime/stack_mapper.h', () => {
  assert.deepEqual({ ...ProbePoint }, enumerators('runtime/stack_mapper.h', 'enum class ProbePoint'));
});

test('the counters are those of runtime/counters.h, in its order', () => {
  const fields = [...body('runtime/counters.h', 'struct Counters').matchAll(/uint32_t (\w+) = 0;/g)];
  assert.deepEqual(
    [...COUNTER_NAMES],
    fields.map(([, name]) => camel(name)),
  );
});

test('the ABI version is that of wasm/exports.cpp', () => {
  const [, version] = source('wasm/exports.cpp').match(/kAbiVersion = (\d+)/) ?? [];
  assert.equal(Number(version), ABI_VERSION);
});

/** Each module, its exports and what uses them. */
const MODULES = [
  {
    name: 'polyprof',
    module: () => coreModule(),
    exports: 'wasm/exports',
    scripts: ['wasm/boundary.js', 'wasm/core.js', 'wasm/core_seat.js'],
  },
  {
    name: 'polyprof-fold',
    module: () =>
      new WebAssembly.Module(readFileSync(new URL('../../dist/polyprof-fold.wasm', import.meta.url))),
    exports: 'wasm/fold_exports',
    scripts: ['report/traces/trace_fold.js'],
  },
];

for (const { name, module, exports, scripts } of MODULES) {
  const text = scripts.map(source).join('');

  test(`the memory of ${name}.wasm is as large as wasm/CMakeLists.txt tells the linker`, () => {
    const [imported] = WebAssembly.Module.imports(module()).filter(({ kind }) => kind === 'memory');
    assert.deepEqual({ module: imported?.module, name: imported?.name }, { module: 'env', name: 'memory' });
    const pages = (/** @type {RegExp} */ pattern) =>
      Number(source('wasm/CMakeLists.txt').match(pattern)?.[1]) / 65536;
    const initial = pages(/-sINITIAL_MEMORY=(\d+)/);
    const maximum = pages(new RegExp(`add_module\\(\\w+ ${name} .* (\\d+)\\)`));
    assert.ok(text.includes(`initial: ${initial}, maximum: ${maximum} `), `${initial} and ${maximum} pages`);
  });

  test(`what ${name}.wasm exports is what its list has, its source defines and its scripts use`, () => {
    const listed = source(`${exports}.txt`).trim().split('\n');
    const exported = WebAssembly.Module.exports(module())
      .filter(({ kind }) => kind === 'function')
      .map(({ name }) => name);
    assert.deepEqual(exported.filter((name) => name.startsWith('polyprof_')).sort(), listed);
    const defined = [...source(`${exports}.cpp`).matchAll(/^\S.*\b(polyprof_\w+)\(/gm)].map(
      ([, name]) => name,
    );
    assert.deepEqual(defined.sort(), listed);
    const used = new Set([...text.matchAll(/\.(polyprof_\w+)\(/g)].map(([, name]) => name));
    assert.deepEqual([...used].sort(), listed);
  });
}

test('a page’s memory begins with what wasm/CMakeLists.txt tells the linker', () => {
  const [, initial] = source('wasm/CMakeLists.txt').match(/-sINITIAL_MEMORY=(\d+)/) ?? [];
  assert.equal(createMemory().buffer.byteLength, Number(initial));
});

test('a module of another ABI version is refused, and the message says what to do', async () => {
  const other = binaryen.parseText(
    `(module (func (export "polyprof_abi_version") (result i32) (i32.const ${ABI_VERSION + 1})))`,
  );
  const module = new WebAssembly.Module(/** @type {BufferSource} */ (other.emitBinary()));
  const refusal = {
    message: `polyprof.wasm has ABI ${ABI_VERSION + 1}, not ${ABI_VERSION}: serve both from one release`,
  };
  await assert.rejects(Core.create(module, createMemory(), 0), refusal);
  await assert.rejects(attachSeat(module, createMemory(), { pointer: 16, stackTop: 65536 }), refusal);
});
