import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import vm from 'node:vm';
import { instrument } from '../../instrumenter/instrument.js';
import { recordPoints } from './lib/record_points.js';
import { makeRealm, runScript, withoutProbeText } from './lib/realm.js';

const DOCUMENT = readFileSync(new URL('../../docs/probes.md', import.meta.url), 'utf8');

test('the example of docs/probes.md is what comes out', () => {
  const block = (/** @type {string} */ kind) => DOCUMENT.split(`\`\`\`js ${kind}\n`)[1].split('```')[0];
  const { code } = instrument(block('before'), { minWeight: 0 });
  const [prelude] = /** @type {RegExpExecArray} */ (/^var __ppH=.*?\.e\(\);/.exec(code));
  assert.equal(code.slice(prelude.length), block('after').trimEnd() + '\n');
});

test('the example of a shadow probe in docs/probes.md is what comes out', () => {
  const block = (/** @type {string} */ kind) => DOCUMENT.split(`\`\`\`js ${kind}\n`)[1].split('```')[0];
  const { code } = instrument(block('before'), { probe: 'shadow', minWeight: 0 });
  assert.ok(code.includes(block('shadow')), code);
});

test('docs/probes.md names each reason for leaving functions out', () => {
  const { summary } = instrument(
    `function a() { eval('') } function b(o) { with (o); } function c() { 'use asm' } async function d() { await using x = 1 }
    class E { static x = 1 } async function f() { try { g() } catch ([x = await 1]) {} } /* polyprof-ignore */ function g() { return 1 } function h() {}`,
  );
  const reasons = [...Object.keys(summary.skipped), 'empty', 'no way to the global object'];
  assert.equal(reasons.length, 11);
  for (const reason of reasons) assert.ok(DOCUMENT.includes(`| \`${reason}\` |`), reason);
});

test('known limit: a function shows its probes, and its text does not run elsewhere unless it is ignored', () => {
  const { code } = instrument('function a() { return 1 } /*! polyprof-ignore */ function b() { return 1 }', {
    minWeight: 0,
  });
  const { context } = makeRealm('none');
  vm.runInContext(code, context);
  assert.match(String(context.a), /__ppF/);
  assert.throws(() => vm.runInNewContext(`(${context.a})()`), /ReferenceError: __ppF is not defined/);
  assert.equal(vm.runInNewContext(`(${context.b})()`), 1);
});

test('known limit: a classic script has our names as global variables', () => {
  const { context } = makeRealm('none');
  const before = new Set(Object.keys(context));
  vm.runInContext(instrument('f = () => g(); try { f() } catch {}', { minWeight: 0 }).code, context);
  const added = Object.keys(context).filter((name) => !before.has(name));
  assert.deepEqual(added.sort(), ['__polyprof__', '__ppF', '__ppH', '__ppT', 'f']);
});

test('known limit: an await in what was called is shown by V8 with its probe', async () => {
  const code = '(async () => { ({})[await 1]() })().catch(log)';
  const [plain, probed] = [await runScript(code), await runScript(instrument(code, { minWeight: 0 }).code)];
  assert.match(plain.log[0], /^TypeError: .*\(intermediate value\).* is not a function$/);
  assert.match(probed.log[0], /__ppT.* is not a function$/);
  assert.equal(withoutProbeText(probed.log[0]), plain.log[0]);
});

/** Who worked, and who was charged instead. @type {Record<string, [string, {charged: string, worked: string[]}]>} */
const CHARGED_TO_ANOTHER = {
  'a function that ends by an exception from elsewhere': [
    `function f() { w('f'); null.x } function g() { try { f() } catch {} } g()`,
    { charged: 'g', worked: ['f'] },
  ],
  'a finally that an exception passes through': [
    `function f() { try { null.x } finally { w('f') } } function g() { try { f() } catch {} } g()`,
    { charged: 'g', worked: ['f'] },
  ],
  'the caller, before a function that is called for a default value': [
    `function f(x = g()) {} function g() {} w('top'); f()`,
    { charged: 'f', worked: ['top'] },
  ],
  'fields of a class without extends': [
    `class A { x = w('A'); constructor() {} } new A()`,
    { charged: 'top', worked: ['A'] },
  ],
};

for (const [title, [code, expected]] of Object.entries(CHARGED_TO_ANOTHER)) {
  test(`known limit: work is charged to another: ${title}`, async () => {
    const { charges } = await recordPoints(code);
    const wrong = charges.filter(({ charged, worked }) => worked.some((name) => name !== charged));
    assert.deepEqual(wrong, [expected]);
  });
}
