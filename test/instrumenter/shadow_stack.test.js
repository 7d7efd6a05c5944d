import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spawnSync } from 'node:child_process';
import vm from 'node:vm';
import { instrumentHtml } from '../../instrumenter/pages/html.js';
import { instrument } from '../../instrumenter/instrument.js';
import { SHADOW_CELLS } from '../../instrumenter/probes/shadow_prelude.js';
import { readFunctionTable } from '../../report/symbols/read_function_table.js';
import { createMemory, SHADOW } from '../../wasm/core.js';
import { recordShadow } from './lib/record_shadow.js';
import { allTasks, makeRealm } from './lib/realm.js';

/** Programs, and what runs at each `w()`, outermost first. @type {Record<string, [string, string]>} */
const PROGRAMS = {
  'a call': ['function f() { w() } f(); w()', 'top>f top'],
  'a call in a return': ['function f() { return g() } function g() { w() } f(); w()', 'top>f>g top'],
  'a return of what is there': ['const f = (x) => x; f(1); w()', 'top'],
  'a caught exception of a callee': [
    'function f() { g() } function g() { null.x } function h() { try { f() } catch { w() } w() } h(); w()',
    'top>h top>h top',
  ],
  'an exception that a finally sees, and nobody above until the top': [
    'function f() { try { g() } finally { w() } } function g() { null.x } try { f() } catch { w() } w()',
    'top>f top top',
  ],
  'a return through finally blocks': [
    'function f() { try { try { return g() } finally { w() } } finally { w() } } function g() { w() } f(); w()',
    'top>f>g top>f top>f top',
  ],
  'a finally that a return may end, and did not': [
    'function f(x) { try { if (x) return } finally { w() } w() } f(0); f(1); w()',
    'top>f top>f top>f top',
  ],
  'a finally that overrides a return': [
    'function f() { for (const x of [1, 2]) try { return g() } finally { if (x == 1) continue; w() } } function g() {} f(); w()',
    'top>f top',
  ],
  'a generator that is told to return': [
    'function* f() { try { yield } finally { w() } } const i = f(); i.next(); w(); i.return(); w()',
    'top top>f top',
  ],
  'a generator that yields while it is told to return': [
    'function* f() { try { yield } finally { w(); yield; w() } } const i = f(); i.next(); i.return(); w(); i.next(); w()',
    'top>f top top>f top',
  ],
  delegation: [
    'function* o() { w(); yield* i(); w() } function* i() { w(); yield } const g = o(); g.next(); g.next(); w()',
    'top>o top>i top>o top',
  ],
  'an await that rejects': [
    'async function f() { try { await Promise.reject(1) } catch { w() } finally { w() } } f(); w()',
    'top f f',
  ],
  'an async function that a callee ends by an exception': [
    'async function f() { g() } function g() { null.x } function h() { f().catch(() => {}); w() } h(); w()',
    'top>h top',
  ],
  'a generator that a callee ends by an exception, in a for await': [
    `function* s() { g() } function g() { null.x } async function f() { for await (const x of s()); }
     function h() { f().catch(() => {}); w() } h(); w()`,
    'top>h top',
  ],
  'a generator that a callee ends by an exception, in the yield* of an async one': [
    `function* s() { yield 1; g() } function g() { null.x } async function* f() { yield* s() }
     function h() { const i = f(); i.next(); i.next().catch(() => {}); w() } h(); w()`,
    'top>h top',
  ],
  'a generator that a callee ends by an exception, in what makes a promise': [
    'function* s() { g() } function g() { null.x } function h() { Promise.all(s()).catch(() => {}); w() } h(); w()',
    'top>h top',
  ],
  'an async function that ends by an exception after an await': [
    'async function f() { await 0; g() } function g() { null.x } async function h() { try { await f() } catch { w() } w() } h()',
    'h h',
  ],
  'an async arrow function that ends by an exception': [
    'const f = async () => g(); function g() { null.x } f().catch(function c() { w() }); w()',
    'top c',
  ],
  'an exception that leaves a for await, whose iterator closes': [
    `async function* s() { try { yield 1 } finally { await 0; w() } }
     async function f() { try { for await (const x of s()) null.x } catch { w() } w() } f()`,
    's f f',
  ],
  'a jump out of a for await through a finally': [
    `async function* s() { try { yield 1 } finally { w() } }
     async function f() { for await (const x of s()) try { break } finally { w() } w() } f()`,
    'f s f',
  ],
  'a return in an async generator waits': [
    'async function* f() { try { return Promise.reject(1) } catch { w() } finally { w() } } f().next(); w()',
    'top f f',
  ],
};

for (const [title, [code, expected]] of Object.entries(PROGRAMS)) {
  test(`the shadow stack holds the running functions, and nothing when the task ends: ${title}`, async () => {
    const { work, depth } = await recordShadow(code);
    assert.equal(work.map(({ shadow }) => shadow.join('>')).join(' '), expected);
    for (const { shadow, native } of work) assert.deepEqual(shadow, native);
    assert.equal(depth, 1);
  });
}

test('a function that is too light for a probe heals the stack when it catches', async () => {
  const heavy = 'w(); w(); w(); w(); null.x';
  const code = `function f() { ${heavy} } function light() { try { f() } catch { w() } } light(); light(); w(); w(); w()`;
  const { work, depth } = await recordShadow(code, { minWeight: 8 });
  assert.deepEqual(new Set(work.map(({ shadow }) => shadow.join('>'))), new Set(['top>f', 'top']));
  for (const { shadow, native } of work) assert.deepEqual(shadow, native);
  assert.equal(depth, 1);
});

test('a light generator that the engine steps leaves nothing on the stack when it ends by an exception', async () => {
  const heavy = 'w(); w(); w(); w(); null.x';
  for (const consumer of [
    'async function f() { for await (const x of light()); }',
    'async function* f() { yield* light() }',
  ]) {
    const code = `function g() { ${heavy} } function* light() { g() } ${consumer}
      const i = f(); (i.next?.() ?? i).catch(() => {}); w(); w(); w()`;
    const { work, depth } = await recordShadow(code, { minWeight: 5 });
    for (const { shadow, native } of work) assert.deepEqual(shadow, native, consumer);
    assert.equal(depth, 1, consumer);
  }
});

test('an uncaught exception comes from where it was thrown, also through functions that heal the stack', () => {
  const code = `function f() {
    null.x;
  }
  function* g() {
    f();
    f();
  }
  g().next();`;
  const { code: probed } = instrument(code, { probe: 'shadow', minWeight: 0, sourceType: 'script' });
  const [place] = run(['-e', probed]).stderr.split('\n');
  assert.match(place, /:2$/);
});

test('an ignored function stays as it is', () => {
  const ignored = 'function f() { try { g() } catch {} }';
  const { code } = instrument(`/*! polyprof-ignore */ ${ignored} h()`, { probe: 'shadow', minWeight: 0 });
  assert.ok(code.includes(ignored));
});

test('an async function whose body would not be the same in a block has no guard, and runs as before', async () => {
  const { context, outcome } = makeRealm('none');
  const code = `(async function f(p) { var a; function a() {} function p() { return 1 } function b() {} function b() { return 2 }
    log(typeof a, p(), b(), arguments[0] === p) })(0)`;
  vm.runInContext(instrument(code, { probe: 'shadow', minWeight: 0, sourceType: 'script' }).code, context);
  await allTasks();
  assert.deepEqual(outcome.log, ['function 1 2 true']);
});

test('recursion deeper than there are cells does not break, and ends at the bottom', () => {
  const depth = SHADOW_CELLS.cells + 10;
  const code = `function f(n) { return n > 0 ? f(n - 1) + 1 : 0 } output = f(${depth})`;
  const { code: probed } = instrument(code, { probe: 'shadow', minWeight: 0 });
  const script = `import('node:vm').then(({ default: vm }) => { const c = vm.createContext({});
    vm.runInContext(${JSON.stringify(probed)}, c); console.log(c.output, c.__polyprof__.d[0]) })`;
  const { stdout, stderr } = run(['--stack-size=30000', '-e', script]);
  assert.equal(stdout.trim(), `${depth} 1`, stderr);
});

test('scripts that were built independently get ids of their own, and keep them', () => {
  const { context } = makeRealm('none');
  /** @type {number[][]} */
  const seen = [];
  context.w = () => seen.push([...context.__polyprof__.d.slice(1, context.__polyprof__.d[0])]);
  for (const name of ['a', 'b']) {
    const code = `function ${name}() { w() } ${name}()`;
    vm.runInContext(instrument(code, { file: `${name}.js`, probe: 'shadow', minWeight: 0 }).code, context);
  }
  // Global variables of the second script must not be those of the first.
  vm.runInContext('a()', context);
  assert.deepEqual(seen, [[1, 2], [3, 4], [2]]);
  const { s, n, d } = context.__polyprof__;
  assert.deepEqual(
    [...s].map((/** @type {any[]} */ entry) => entry[3]),
    [1, 3],
  );
  assert.deepEqual([n, d[0]], [5, 1]);
});

for (const first of ['flag', 'shadow']) {
  test(`both kinds of probes share a realm, ${first} probes first`, () => {
    const { context } = makeRealm('none');
    const kinds = first === 'flag' ? ['flag', 'shadow'] : ['shadow', 'flag'];
    for (const probe of kinds) {
      const code = `function ${probe}() { return String(1) } ${probe}()`;
      vm.runInContext(instrument(code, { file: `${probe}.js`, probe, minWeight: 0 }).code, context);
    }
    const { v, f, s, d, n } = context.__polyprof__;
    assert.deepEqual([v, f.length, d.length, d[0], n], [1, 64, SHADOW_CELLS.cells, 1, 3]);
    const lengths = Object.fromEntries([...s].map((/** @type {any[]} */ entry) => [entry[1], entry.length]));
    assert.deepEqual(lengths, { 'flag.js.ppft': 3, 'shadow.js.ppft': 4 });
    let checks = 0;
    Object.assign(context.__polyprof__, { l: () => checks++ });
    f.fill(1);
    vm.runInContext('flag(); shadow()', context);
    assert.equal(checks, 1);
  });
}

test('an isolated realm has the cells in a shared memory that fits the core', () => {
  const { context } = makeRealm('isolated');
  vm.runInContext(instrument('f = 1', { probe: 'shadow', minWeight: 0 }).code, context);
  const { m, d } = context.__polyprof__;
  assert.equal(d.buffer, m.buffer);
  assert.equal(Object.prototype.toString.call(m.buffer), '[object SharedArrayBuffer]');
  assert.deepEqual([d.byteOffset, d.length, d[0]], [SHADOW.offset, SHADOW.cells, 1]);
  const { offset, cells } = SHADOW_CELLS;
  assert.deepEqual({ offset, cells }, { ...SHADOW });
  assert.equal(m.buffer.byteLength, createMemory().buffer.byteLength);
});

test('where no shared memory can be made the cells stand alone', () => {
  for (const setUp of [
    '',
    'crossOriginIsolated = 1',
    'crossOriginIsolated = true; WebAssembly = undefined',
  ]) {
    const { context } = makeRealm('none');
    vm.runInContext(setUp, context);
    vm.runInContext(instrument('f = 1', { probe: 'shadow', minWeight: 0 }).code, context);
    const { m, d } = context.__polyprof__;
    assert.deepEqual([m, d.byteOffset, d.length, d[0]], [undefined, 0, SHADOW_CELLS.cells, 1], setUp);
  }
});

test('each inline script of a page takes ids for its whole table', () => {
  const page = '<script>function a() { w() } a()</script>\n<script>function b() { w() } b(); a()</script>';
  const { code, table } = instrumentHtml(page, { probe: 'shadow', minWeight: 0 });
  const names = readFunctionTable(/** @type {Uint8Array} */ (table)).functions.map(
    ({ name }) => name || 'top',
  );
  const { context } = makeRealm('none');
  /** @type {string[]} */
  const seen = [];
  context.w = () => {
    const { d } = context.__polyprof__;
    seen.push([...d.slice(1, d[0])].map((id) => names[(id - 1) % names.length]).join('>'));
  };
  for (const [, script] of code.matchAll(/<script>([^]*?)<\/script>/g)) vm.runInContext(script, context);
  assert.deepEqual(names, ['top', 'a', 'top', 'b']);
  assert.deepEqual(seen, ['top>a', 'top>b', 'top>a']);
  assert.equal(context.__polyprof__.n, 9);
});

test('a second pass changes nothing, whatever the kind of probes', () => {
  for (const code of ['function f() { return g() }', 'import "./a.js"; export function f() { return g() }']) {
    for (const first of ['flag', 'shadow']) {
      const once = instrument(code, { probe: first, minWeight: 0 });
      for (const probe of ['flag', 'shadow']) {
        const twice = instrument(once.code, { probe, minWeight: 0 });
        assert.deepEqual([twice.code, twice.summary.alreadyInstrumented], [once.code, true]);
      }
    }
  }
});

/** @param {string[]} args of Node */
function run(args) {
  // The system's limit for a stack is below what this one asks for.
  return spawnSync(
    'sh',
    [
      '-c',
      'ulimit -s unlimited 2>/dev/null || ulimit -s $(ulimit -Hs); exec "$0" "$@"',
      process.execPath,
      ...args,
    ],
    {
      encoding: 'utf8',
    },
  );
}
