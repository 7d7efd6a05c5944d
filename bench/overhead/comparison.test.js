import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BASELINE, compare, CONTROL, OPEN_BASELINE } from './comparison.js';

const page = { folder: '', query: '', jsProfiling: false };
const variants = [BASELINE, CONTROL, 'slow'].map((name) => ({ ...page, name }));

/** A machine that takes `msOf` for a variant at its nth visit. @param {(name: string, visit: number) => number} msOf */
function machineWith(msOf) {
  let visits = 0;
  const visit = async (/** @type {unknown} */ _engine, /** @type {{name: string}} */ { name }) => ({
    ms: msOf(name, visits++),
    digest: 'd',
    version: '1',
  });
  return { visit };
}

test('a machine that slows down steadily does not change the ratios', async () => {
  const slowing = machineWith((name, visit) => (name === 'slow' ? 120 : 100) + visit);
  const { rows, refusal } = await compare('chromium', 'w', variants, 6, slowing);
  const [control, slow] = rows;
  assert.equal(refusal, undefined);
  assert.equal(control.ratio, 1);
  assert.ok(Math.abs(slow.ratio - 1.2) < 0.04, String(slow.ratio));
});

test('a page that is not isolated is compared with the plain one that is not, and that with the plain page', async () => {
  const open = [
    ...variants,
    { ...page, name: OPEN_BASELINE, isolated: false },
    { ...page, name: 'sampled', isolated: false, baseline: OPEN_BASELINE },
  ];
  const { visit } = machineWith((name) => ({ [OPEN_BASELINE]: 130, sampled: 143 })[name] ?? 100);
  const { rows } = await compare('chromium', 'w', open, 3, { visit });
  const ratioOf = (/** @type {string} */ name) => rows.find((row) => row.name === name)?.ratio;
  assert.deepEqual([ratioOf(OPEN_BASELINE), ratioOf('sampled')], [1.3, 1.1]);
});

test('a control that differs from the baseline by more than two percent refuses the comparison', async () => {
  const noisy = machineWith((name) => (name === CONTROL ? 103 : 100));
  const { refusal } = await compare('chromium', 'w', variants, 3, noisy);
  assert.match(refusal ?? '', /3\.0 %/);
});

test('a smoke run visits each page once, the control never, and says that it tells no ratio', async () => {
  /** @type {string[]} */
  const visited = [];
  const { visit } = machineWith((name) => visited.push(name));
  const { refusal } = await compare('chromium', 'w', variants, 1, { visit, once: true });
  assert.deepEqual(visited, [BASELINE, 'slow']);
  assert.match(refusal ?? '', /only a control tells/);
});

test('a variant that computes something else ends the comparison', async () => {
  const wrong = async (/** @type {unknown} */ _engine, /** @type {{name: string}} */ { name }) => ({
    ms: 1,
    digest: name === 'slow' ? 'x' : 'd',
    version: '1',
  });
  await assert.rejects(compare('chromium', 'w', variants, 1, { visit: wrong }), /"slow" computes x, not d/);
});
