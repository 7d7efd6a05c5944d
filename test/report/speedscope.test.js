import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import Ajv from 'ajv';
import fc from 'fast-check';
import { speedscope } from '../../report/formats/speedscope.js';
import { traceArbitrary } from './arbitraries.js';
import { traceOf } from './traces.js';

const require = createRequire(import.meta.url);
const SCHEMA = JSON.parse(
  readFileSync(require.resolve('speedscope/dist/release/file-format-schema.json'), 'utf8'),
);
const isValid = new Ajv().compile(SCHEMA);

/** @param {import('../../report/reading/check_trace.js').ProfilerTrace[]} traces */
const convert = (...traces) =>
  JSON.parse(speedscope(traces.map((trace, i) => ({ name: `trace ${i}`, trace }))));

/** @param {any} file @returns {string[]} `outermost;…;innermost weight` per sample of the first profile */
const linesOf = ({ shared, profiles: [{ samples, weights }] }) =>
  samples.map(
    (/** @type {number[]} */ path, /** @type {number} */ i) =>
      `${path.map((id) => shared.frames[id].name).join(';')} ${weights[i]}`,
  );

test('samples keep their order, outermost first, and last until the next one', () => {
  const trace = traceOf(['main;a', 'main', 'main;a']);
  trace.samples[1].timestamp = 103;
  assert.deepEqual(linesOf(convert(trace)), ['main;a 3', 'main 17', 'main;a 17']);
});

test('an idle sample is a gap: time without frames', () => {
  assert.deepEqual(linesOf(convert(traceOf(['main', '', 'main']))), ['main 10', ' 10', 'main 10']);
});

test('a profile lies where its samples are on the page’s clock', () => {
  const [profile] = convert(traceOf(['main', 'main'], { startMs: 500, intervalMs: 10 })).profiles;
  assert.deepEqual([profile.unit, profile.startValue, profile.endValue], ['milliseconds', 500, 520]);
});

test('frames have file, line and column where they are known', () => {
  const { frames } = convert(traceOf(['builtin;f@a.js:3:9'])).shared;
  assert.deepEqual(frames, [{ name: 'builtin' }, { name: 'f', file: 'a.js', line: 3, col: 9 }]);
});

test('several traces share their frames', () => {
  const { profiles, shared } = convert(traceOf(['main;a']), traceOf(['main;b']));
  assert.deepEqual(
    profiles.map((/** @type {any} */ profile) => [profile.name, profile.samples]),
    [
      ['trace 0', [[0, 1]]],
      ['trace 1', [[0, 2]]],
    ],
  );
  assert.equal(shared.frames.length, 3);
});

test('for any trace: the file is as speedscope’s schema demands, and weights fill the whole time', () => {
  fc.assert(
    fc.property(fc.array(traceArbitrary, { minLength: 1, maxLength: 3 }), (traces) => {
      const file = convert(...traces);
      assert.ok(isValid(file), JSON.stringify(isValid.errors));
      for (const { samples, weights, startValue, endValue } of file.profiles) {
        assert.equal(samples.length, weights.length);
        const sum = weights.reduce((/** @type {number} */ a, /** @type {number} */ b) => a + b, 0);
        assert.ok(Math.abs(endValue - startValue - sum) < 1e-6);
      }
    }),
  );
});
