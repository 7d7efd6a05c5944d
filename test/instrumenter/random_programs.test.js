import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { instrument } from '../../instrumenter/instrument.js';
import { randomProgram } from './lib/random_program.js';
import { recordPoints } from './lib/record_points.js';
import { runScript } from './lib/realm.js';

const SEED = 20240917;

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
      const { code: probed } = instrument(code, { minWeight: 0, sourceType: 'script' });
      for (const mode of /** @type {const} */ (['never', 'always'])) {
        const outcome = await runScript(probed, mode);
        assert.deepEqual(outcome.log, plain.log);
        points += outcome.points;
      }
      lines += plain.log.length;
      assert.doesNotMatch(plain.log.join(), /SyntaxError|ReferenceError/);
    }),
    { seed: SEED, numRuns: 500 },
  );
  assert.ok(points > 10_000 && lines > 5000, `the programs do something: ${points} checks, ${lines} lines`);
});

test('in 500 random programs without exceptions every check charges the function that worked', async () => {
  let charged = 0;
  await fc.assert(
    fc.asyncProperty(programs(false), async (code) => {
      const { charges, unseen } = await recordPoints(code);
      for (const charge of charges) {
        assert.deepEqual(new Set(charge.worked), new Set([charge.charged]));
      }
      assert.deepEqual(unseen, []);
      charged += charges.length;
    }),
    { seed: SEED, numRuns: 500 },
  );
  assert.ok(charged > 5000, `the programs work: ${charged} charges`);
});
