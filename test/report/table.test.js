import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { callTree } from '../../report/traces/call_tree.js';
import { describeLosses } from '../../report/traces/losses.js';
import { formatTable } from '../../report/terminal/table.js';
import { traceArbitrary } from './arbitraries.js';
import { traceOf } from './traces.js';

/** @param {string[]} samples @param {import('../../report/terminal/table.js').TableOptions} [options] @returns {string[]} lines */
const linesOf = (samples, options) =>
  formatTable(callTree(traceOf(samples)), options)
    .split('\n')
    .slice(0, -1);

/** @param {string} place of a function @returns {string} as the table shows it */
const shown = (place) => /\S+$/.exec(linesOf([`f@${place}`])[1])?.[0] ?? '';

test('a line per function, the most self time first, with shares of the time that was not idle', () => {
  const lines = linesOf(['main@a.js:1:9;hot@b.js:7:3', 'main@a.js:1:9;hot@b.js:7:3', 'main@a.js:1:9', '']);
  assert.deepEqual(lines, [
    'self %  total %  samples  function  where',
    '  66.7     66.7        2  hot       b.js:7',
    '  33.3    100.0        1  main      a.js:1',
    '4 samples: 25.0 % idle',
  ]);
});

test('functions beyond the rows are summed up in a line', () => {
  const lines = linesOf(['a', 'a', 'b', 'c'], { rows: 1 });
  assert.deepEqual(lines.slice(2), ['  50.0  in 2 more functions', '4 samples: 0.0 % idle']);
  assert.match(linesOf(['a', 'a', 'b'], { rows: 1 })[2], /in 1 more function$/);
});

test('no samples, and nothing but idle ones, are said', () => {
  assert.deepEqual(linesOf([]), ['no samples']);
  assert.deepEqual(linesOf(['']), ['1 sample: 100.0 % idle']);
});

test('a place is the path within its package or site, and its line', () => {
  assert.equal(shown('../../node_modules/planck/src/a.ts:12:1'), 'planck/src/a.ts:12');
  assert.equal(shown('../node_modules/a/node_modules/@b/c/d.js:1:1'), '@b/c/d.js:1');
  assert.equal(shown('https://example.org/static/app.js:3:4'), 'static/app.js:3');
  assert.equal(shown('webpack://app/./src/index.js:3:4'), './src/index.js:3');
  assert.equal(/\S+$/.exec(linesOf(['sort'])[1])?.[0], '(browser)');
});

test('functions of one line, as in minified files, are told apart by their columns', () => {
  const lines = linesOf(['a@x.js:1:10', 'b@x.js:1:20', 'c@x.js:2:5']);
  assert.deepEqual(
    lines.slice(1, 4).map((line) => line.replace(/^.* /, '')),
    ['x.js:1:10', 'x.js:1:20', 'x.js:2'],
  );
});

test('what does not fit loses the end of its name and the beginning of its path', () => {
  const [, line] = linesOf([`${'n'.repeat(80)}@src/${'deep/'.repeat(20)}file.js:1:1`], { width: 80 });
  assert.ok(line.length <= 80);
  assert.match(line, / n+… +…\/(deep\/)+file\.js:1$/);
});

test('of an address with a long query the file and the end of the query are shown', () => {
  const [, line] = linesOf([`f@load.php?modules=${'a,'.repeat(80)}b&version=7:1:1`], { width: 80 });
  assert.ok(line.length <= 80);
  assert.match(line, / f +load\.php\?…(,a)+,b&version=7:1$/);
});

test('of what was lost once it is told in the singular', () => {
  const losses = {
    filledTicks: 1,
    lostTicks: 1,
    missingTables: 1,
    truncatedStacks: 1,
    workerlessTicks: 1,
    fallbackFrames: 2,
  };
  assert.equal(
    describeLosses(losses).join(', '),
    '1 tick repeats the one before, lost: 1 sample, 1 function table missing, 1 outer end of deep stacks, 1 ms in which no worker ticked, 2 frames as the engine names them',
  );
});

test('control characters in names reach no terminal', () => {
  const trace = traceOf(['main']);
  trace.frames[0].name = 'a\x1b[31m\nb\u202e';
  assert.match(formatTable(callTree(trace)), /a\ufffd\[31m\ufffdb\ufffd/);
});

test('each counter of the documentation is told in words', () => {
  const page = readFileSync(new URL('../../docs/counters.md', import.meta.url), 'utf8');
  const names = Array.from(page.matchAll(/^\| `(\w+)` \|/gm), ([, name]) => name);
  assert.ok(names.length > 15, names.join());
  for (const name of names) {
    const line = linesOf(['a'], { losses: { [name]: 7 }, width: 200 }).at(-1) ?? '';
    assert.doesNotMatch(line, new RegExp(name));
  }
});

test('losses are in the line about samples, and nothing lost is said too', () => {
  // Of all sessions that ran together: more than this trace has samples.
  const losses = { filledTicks: 3, lateTicks: 1500, lostTicks: 1200, missingTables: 1, somethingNew: 3 };
  assert.deepEqual(linesOf(['a', 'a'], { losses, width: 200 }).slice(2), [
    '2 samples: 0.0 % idle, 3 ticks repeat the one before, 1,500 ms taken late, lost: 1,200 samples, 1 function table missing, 3 somethingNew',
  ]);
  assert.equal(linesOf(['a'], { losses: { lateTicks: 0 } }).at(-1), '1 sample: 0.0 % idle, nothing lost');
});

test('all functions of a large trace are shown in a moment', { timeout: 20_000 }, () => {
  const trace = traceOf([]);
  for (let i = 0; i < 150_000; i++) {
    trace.frames.push({ name: `f${i}`, line: i, column: 1, resourceId: 0 });
    trace.stacks.push({ frameId: i });
    trace.samples.push({ timestamp: i, stackId: i });
  }
  trace.resources.push('a.js');
  assert.equal(formatTable(callTree(trace), { rows: 200_000 }).split('\n').length, 150_003);
});

test('losses may have any name', () => {
  for (const name of ['hasOwnProperty', 'constructor', '__proto__']) {
    const losses = Object.fromEntries([[name, 3]]);
    assert.equal(linesOf(['a'], { losses }).at(-1), `1 sample: 0.0 % idle, lost: 3 ${name}`);
  }
});

test('for any trace and width: no line is wider, colours change nothing else, and shares add up', () => {
  const losses = fc.record({
    filledTicks: fc.nat(),
    lostTicks: fc.nat(),
    truncatedStacks: fc.nat(),
    badTables: fc.nat(),
  });
  fc.assert(
    fc.property(
      traceArbitrary,
      fc.integer({ min: 60, max: 200 }),
      fc.nat(8),
      losses,
      (trace, width, rows, counted) => {
        const options = { width, rows, losses: counted };
        const text = formatTable(callTree(trace), options);
        for (const line of text.split('\n')) assert.ok(line.length <= width, line);
        const colored = formatTable(callTree(trace), { ...options, color: true });
        // Colours may come after blanks that are cut off the end of a line otherwise.
        assert.equal(stripVTControlCharacters(colored).replace(/ +\n/g, '\n'), text);
        const shares = [...text.matchAll(/^ *(\d+\.\d) (?= )/gm)].map(([, share]) => Number(share));
        if (shares.length > 0)
          assert.ok(Math.abs(shares.reduce((a, b) => a + b) - 100) <= 0.05 * shares.length + 1e-9, text);
      },
    ),
  );
});
