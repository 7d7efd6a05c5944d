import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BASELINE, CONTROL } from './comparison.js';
import { compareInTurns, roundsOf } from './turns.js';

const page = { folder: '', query: '', jsProfiling: false };
const plain = [BASELINE, CONTROL].map((name) => ({ ...page, name }));

/** @param {(variant: import('./variants.js').Variant) => number} msOf a turn */
function pageWith(msOf) {
  /** @type {string[][]} */
  const visits = [];
  /** @type {import('./turns.js').TakeTurns} */
  const takeTurns = async (_, variants) => {
    visits.push(variants.map(({ name, isolated = true }) => (isolated ? name : `${name}, not isolated`)));
    return { times: variants.map((variant) => [msOf(variant), msOf(variant)]), version: '1' };
  };
  return { visits, how: { scale: 1, takeTurns } };
}

test('a variant that is not isolated takes turns with plain pages that are not isolated either', async () => {
  const alone = { ...page, name: 'self-timed', isolated: false };
  const { visits, how } = pageWith(
    ({ name, isolated = true }) => (isolated ? 100 : 200) * (/timed|flag/.test(name) ? 1.5 : 1),
  );
  const variants = [...plain, { ...page, name: 'flag' }, alone];
  const { rows, refusal } = await compareInTurns('webkit', 'w', variants, 1, how);
  assert.equal(refusal, undefined);
  assert.deepEqual(
    rows.map(({ name, ratio }) => [name, ratio]),
    [
      [CONTROL, 1],
      ['flag', 1.5],
      ['self-timed', 1.5],
    ],
  );
  assert.deepEqual(visits[1], [
    `${BASELINE}, not isolated`,
    `${CONTROL}, not isolated`,
    'self-timed, not isolated',
  ]);
});

test('each visit loads another variant first', async () => {
  const { visits, how } = pageWith(() => 1);
  await compareInTurns('webkit', 'w', [...plain, { ...page, name: 'flag' }], 3, how);
  assert.deepEqual(
    visits.map(([first]) => first),
    [BASELINE, CONTROL, 'flag'],
  );
});

test('what changes the whole browser takes no turns', async () => {
  const { visits, how } = pageWith(() => 1);
  const others = [
    { ...page, name: 'native', jsProfiling: true },
    { ...page, name: 'Firefox Profiler', env: { MOZ_PROFILER_STARTUP: '1' } },
  ];
  await compareInTurns('firefox', 'w', [...plain, ...others], 1, how);
  assert.deepEqual(visits, [[BASELINE, CONTROL]]);
});

test('a control that is off where pages are not isolated refuses all', async () => {
  const { how } = pageWith(({ name, isolated = true }) => (!isolated && name === CONTROL ? 110 : 100));
  const variants = [...plain, { ...page, name: 'self-timed', isolated: false }];
  const { refusal } = await compareInTurns('chromium', 'w', variants, 2, how);
  assert.match(refusal ?? '', /10\.0 %/);
});

test('work that can be cut into few parts is done in few turns', () => {
  assert.equal(roundsOf('planck', 0.1), 80);
  assert.equal(roundsOf('typescript', 1), 16);
  assert.equal(roundsOf('typescript', 0.1), 4);
});
