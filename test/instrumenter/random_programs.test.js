import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { instrument } from '../../instrumenter/instrument.js';
import { quietOptions } from './lib/quiet_options.js';
import { randomForms } from './lib/random_forms.js';
import { randomProgram } from './lib/random_program.js';
import { recordPoints } from './lib/record_points.js';
import { recordShadow } from './lib/record_shadow.js';
import { PROBES_AND_HOOKS, runScript, withoutProbeText } from './lib/realm.js';

/** More, with other seeds, when nobody waits for them: CONTRIBUTING.md. */
const PROGRAMS = Number(process.env.POLYPROF_PROGRAMS ?? 500);
const USUAL_SEED = 20240917;
const SEED = Number(process.env.POLYPROF_SEED ?? USUAL_SEED);

/**
 * So many of 500 programs do something at least, or a test would hold for want of work. It counts programs: of what all do together most is
 * done by a few, so that it differs from seed to seed by a third. Of 100 programs, two or three only make generators and promises.
 */
const MOST = 450;

/** Lines of each random program: of two functions and an expression at its top level, and how it ended. */
const LEAST_LINES = 4;

/** Of the usual programs it is known how much they do together. @param {number} sum @param {number} least @param {string} what */
function assertSum(sum, least, what) {
  if (SEED === USUAL_SEED) assert.ok(sum > least, `${sum} ${what}`);
}

/** By kind of probe. */
const KINDS = ['flag', 'shadow', 'count'].map((kind) =>
  PROBES_AND_HOOKS.filter(({ probe }) => probe === kind),
);

/** @param {boolean} throws */
const programs = (throws) =>
  fc
    .array(fc.nat(10_000), { minLength: 40, maxLength: 400, size: 'max' })
    .map((choices) => randomProgram(choices, { throws }));

test('500 random programs do the same with probes, whatever the flag says', async () => {
  let points = 0;
  let lines = 0;
  await fc.assert(
    fc.asyncProperty(programs(true), async (code) => {
      const plain = await runScript(code);
      const options = /** @type {const} */ ({ file: 'a.js', minWeight: 0, sourceType: 'script' });
      const { code: probed } = instrument(code, options);
      const { code: quiet } = instrument(code, quietOptions(code, options));
      for (const [script, mode] of /** @type {const} */ ([
        [probed, 'never'],
        [probed, 'always'],
        [quiet, 'always'],
      ])) {
        const outcome = await runScript(script, mode);
        assert.deepEqual(outcome.log, plain.log);
        // The script's own two, and the enter of two functions.
        if (mode === 'always') assert.ok(outcome.points >= 4, `${outcome.points} checks`);
        points += outcome.points;
      }
      assert.ok(plain.log.length >= LEAST_LINES, plain.log.join('\n'));
      lines += plain.log.length;
      assert.doesNotMatch(plain.log.join(), /SyntaxError|ReferenceError/);
    }),
    { seed: SEED, numRuns: 500 },
  );
  assertSum(points, 10_000, 'checks');
  assertSum(lines, 5000, 'lines');
});

test('in 500 random programs without exceptions every check charges the function that worked', async () => {
  let working = 0;
  let charged = 0;
  await fc.assert(
    fc.asyncProperty(programs(false), async (code) => {
      const { charges, unseen } = await recordPoints(code);
      for (const charge of charges) {
        assert.deepEqual(new Set(charge.worked), new Set([charge.charged]));
      }
      assert.deepEqual(unseen, []);
      if (charges.length > 0) working++;
      charged += charges.length;
    }),
    { seed: SEED, numRuns: 500 },
  );
  assert.ok(working > MOST, `${working} programs work`);
  assertSum(charged, 5000, 'charges');
});

test('500 random programs do the same with shadow probes, with and without a hook', async () => {
  let lines = 0;
  await fc.assert(
    fc.asyncProperty(programs(true), async (code) => {
      const plain = await runScript(code);
      for (const minWeight of [0, 6]) {
        const { code: probed } = instrument(code, { probe: 'shadow', minWeight, sourceType: 'script' });
        for (const mode of /** @type {const} */ (['none', 'never'])) {
          const { log, shadow } = await runScript(probed, mode);
          assert.deepEqual(log, plain.log);
          assert.equal(shadow?.depth ?? 1, 1, 'nothing runs any more');
        }
      }
      assert.ok(plain.log.length >= LEAST_LINES, plain.log.join('\n'));
      lines += plain.log.length;
    }),
    { seed: SEED, numRuns: 500, endOnFailure: true },
  );
  assertSum(lines, 5000, 'lines');
});

for (const throws of [false, true]) {
  test(`in 500 random programs ${throws ? 'with' : 'without'} exceptions the shadow stack is the stack of V8`, async () => {
    let working = 0;
    let all = 0;
    await fc.assert(
      fc.asyncProperty(programs(throws), async (code) => {
        let looks = 0;
        for (const minWeight of [0, 6]) {
          const { work, depth } = await recordShadow(code, { minWeight });
          for (const { shadow, native } of work) assert.deepEqual(shadow, native);
          assert.equal(depth, 1, 'nothing runs any more');
          looks += work.length;
        }
        if (looks > 0) working++;
        all += looks;
      }),
      { seed: SEED, numRuns: 500, endOnFailure: true },
    );
    assert.ok(working > MOST, `${working} programs work`);
    assertSum(all, 5000, 'looks');
  });
}

test(`${PROGRAMS} random programs of all forms of functions do the same with all probes`, async () => {
  let lines = 0;
  let round = 0;
  /** @type {Record<string, number>} */
  const seen = {};
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(10_000), { minLength: 60, maxLength: 500, size: 'max' }).map(randomForms),
      async ({ code, isOdd }) => {
        const plain = await runScript(code);
        for (const [kind, pairs] of KINDS.entries()) {
          const { probe, mode, quiet } = pairs[round % pairs.length];
          const minWeight = (round + kind) % 2 ? 0 : 6;
          const options = /** @type {const} */ ({ file: 'a.js', probe, minWeight, sourceType: 'script' });
          const { code: probed } = instrument(code, quiet ? quietOptions(code, options) : options);
          const { log, shadow } = await runScript(probed, mode);
          assert.deepEqual(log.map(withoutProbeText), plain.log.map(withoutProbeText));
          // Nothing heals what an uncaught exception leaves, or one that ends an async function without probes.
          if (log.at(-1)?.startsWith('completed') && !isOdd)
            assert.equal(shadow?.depth ?? 1, 1, 'nothing runs any more');
        }
        round++;
        lines += plain.log.length;
        const text = plain.log.join('\n');
        assert.doesNotMatch(text, /SyntaxError/);
        for (const event of [
          'iter closed',
          'agen closed',
          'rejected',
          'top caught',
          'm caught',
          'Base',
          'sent',
          'told',
        ]) {
          if (text.includes(event)) seen[event] = (seen[event] ?? 0) + 1;
        }
      },
    ),
    { seed: SEED, numRuns: PROGRAMS, endOnFailure: true },
  );
  assert.ok(lines > 10 * PROGRAMS, `the programs do something: ${lines} lines`);
  assert.equal(Object.keys(seen).length, 8, JSON.stringify(seen));
});
