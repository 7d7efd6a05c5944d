import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { folded } from '../../report/formats/folded.js';
import { traceArbitrary } from './arbitraries.js';
import { traceOf } from './traces.js';

/** @param {string[]} samples */
const foldedOf = (samples) => folded([{ name: 'test', trace: traceOf(samples) }]);

test('one line per path with its samples, sorted', () => {
  assert.equal(foldedOf(['main;b', 'main;a', 'main;b', 'main']), 'main 1\nmain;a 1\nmain;b 2\n');
});

test('idle samples are left out', () => {
  assert.equal(foldedOf(['', 'main', '']), 'main 1\n');
  assert.equal(foldedOf(['', '']), '');
});

test('functions without a name are told apart by their place', () => {
  assert.equal(foldedOf(['@a.js:1:2', '@a.js:5:2']), '(anonymous) a.js:1:2 1\n(anonymous) a.js:5:2 1\n');
});

test('a name with a semicolon or a line break does not end its frame', () => {
  const trace = traceOf(['main;odd']);
  trace.frames[1].name = 'a;b\nc';
  assert.equal(folded([{ name: 'test', trace }]), 'main;a:b c 1\n');
});

test('lines are sorted as a whole, whatever names begin with each other', () => {
  const lines = foldedOf(['a;b', 'a', 'a b', 'a b;c', 'a!;b', 'a;b', 'ä', 'a 1']);
  assert.equal(lines, 'a 1\na 1 1\na b 1\na b;c 1\na!;b 1\na;b 2\nä 1\n');
  assert.deepEqual(lines.split(/(?<=\n)/), lines.split(/(?<=\n)/).toSorted());
});

test('a stack of fifty thousand calls is written', () => {
  const path = Array(50_000).fill('f').join(';');
  assert.ok(foldedOf([path]) === `${path} 1\n`);
});

test('several profiles are added up', () => {
  const profiles = [traceOf(['main;a']), traceOf(['main;a', 'main'])].map((trace) => ({ name: '', trace }));
  assert.equal(folded(profiles), 'main 1\nmain;a 2\n');
});

test('for any trace: reading the lines gives the same folded stacks again', () => {
  fc.assert(
    fc.property(traceArbitrary, (trace) => {
      const text = folded([{ name: '', trace }]);
      const samples = text
        .split('\n')
        .filter(Boolean)
        .flatMap((line) => {
          const [, path, count] = /** @type {RegExpExecArray} */ (/^(.+) (\d+)$/.exec(line));
          return Array(Number(count)).fill(path);
        });
      assert.equal(samples.length, trace.samples.filter(({ stackId }) => stackId !== undefined).length);
      // Names may look like places now; what matters is that nothing moves or gets lost.
      const again = folded([{ name: '', trace: traceOf(samples) }]);
      assert.equal(again, text);
    }),
  );
});
