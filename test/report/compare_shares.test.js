import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ShareComparison } from '../../report/diff/compare_shares.js';
import { randomNumbers } from '../../bench/lib/random_numbers.js';
import { simulatedRun } from './simulated_runs.js';
import { traceOf } from './traces.js';

/** @import { ProfilerTrace } from '../../report/reading/check_trace.js' */

/** @param {ProfilerTrace[]} base @param {ProfilerTrace[]} next */
function compare(base, next) {
  const comparison = new ShareComparison();
  for (const trace of base) comparison.addBase({ trace });
  for (const trace of next) comparison.addNext({ trace });
  return comparison.result();
}

/** @param {string} path @param {number} count */
const times = (path, count) => Array(count).fill(path);

/** @typedef {Parameters<typeof simulatedRun>[1]} RunOptions */

/**
 * How often in a hundred comparisons something is so.
 * @param {number} runs on each side @param {RunOptions} options @param {RunOptions} changed in addition, on the new side
 * @param {(result: ReturnType<typeof compare>) => boolean} isSo
 */
function howOften(runs, options, changed, isSo) {
  let count = 0;
  for (let seed = 0; seed < 100; seed++) {
    const random = randomNumbers(seed);
    const comparison = new ShareComparison();
    // Each run is forgotten before the next one is made: to keep all of them costs as much as everything else here.
    for (let run = 0; run < runs; run++) comparison.addBase({ trace: simulatedRun(random, options) });
    for (let run = 0; run < runs; run++)
      comparison.addNext({ trace: simulatedRun(random, { ...options, ...changed }) });
    if (isSo(comparison.result())) count++;
  }
  return count;
}

/** @param {ReturnType<typeof compare>} result */
const hasNews = ({ functions, paths }) => functions.length + paths.length > 0;

for (const [runs, options] of /** @type {[number, RunOptions][]} */ ([
  [1, { callSamples: 1 }],
  [1, { callSamples: 5 }],
  [1, { callSamples: 20 }],
  [6, { samples: 1000, callSamples: 3 }],
  [6, { samples: 2000, callSamples: 3, unsteadiness: 0.1 }],
  [2, { samples: 2000 }],
  [2, { samples: 2000, rounds: 10 }],
  [3, { samples: 2000, rounds: 5, unsteadiness: 0.1 }],
  [14, { samples: 2000, rounds: 10 }],
  [14, { samples: 2000, rounds: 10, unsteadiness: 0.1 }],
  [2, { functions: 2, samples: 1500, callSamples: 1, unsteadiness: 0.1 }],
  [2, { functions: 3, samples: 1500, unsteadiness: 0.3 }],
  [2, { functions: 5, samples: 1500, unsteadiness: 0.3 }],
  [3, { functions: 3, samples: 1500, unsteadiness: 0.3 }],
])) {
  test(`the same workload twice is no news at 95 %: ${runs} runs a side, ${JSON.stringify(options)}`, () => {
    const count = howOften(runs, options, {}, hasNews);
    assert.ok(count <= 5, `${count} of 100`);
  });
}

/** @param {() => number} random @param {Parameters<typeof simulatedRun>[1]} [options] of the worker @returns {ProfilerTrace[]} */
const pageAndWorker = (random, options) => [
  simulatedRun(random),
  { ...simulatedRun(random, options), resources: ['worker.js'] },
];

test('what a page and its worker have differently is no chance: a slower function of the worker is named', () => {
  /** @param {ProfilerTrace[][]} base @param {ProfilerTrace[][]} next */
  const compareRuns = (base, next) => {
    const comparison = new ShareComparison();
    for (const traces of base) comparison.addBase(...traces.map((trace) => ({ trace })));
    for (const traces of next) comparison.addNext(...traces.map((trace) => ({ trace })));
    return comparison.result();
  };
  const five = (/** @type {() => ProfilerTrace[]} */ run) => Array.from({ length: 5 }, run);
  let [found, apart, news] = [0, 0, 0];
  for (let seed = 0; seed < 50; seed++) {
    const random = randomNumbers(seed);
    const runs = five(() => pageAndWorker(random));
    const slower = five(() => pageAndWorker(random, { slower: { f0: 1.4 } }));
    const isFound = (/** @type {ReturnType<typeof compare>} */ { functions }) =>
      functions[0]?.location.name === 'f0' && functions[0].location.file === 'worker.js';
    if (isFound(compareRuns(runs, slower))) found++;
    if (isFound(compare(runs.flat(), slower.flat()))) apart++;
    if (
      hasNews(
        compareRuns(
          runs,
          five(() => pageAndWorker(random)),
        ),
      )
    )
      news++;
  }
  assert.ok(found >= 45 && news <= 5, `found ${found} of 50, for nothing ${news}`);
  assert.ok(apart < found, `as traces of their own ${apart}`);
});

test('how long runs take is no news when nothing changed, and is when they take a tenth longer', () => {
  const isSlower = (/** @type {number} */ longer) => {
    let count = 0;
    for (let seed = 0; seed < 100; seed++) {
      const random = randomNumbers(seed);
      const side = (/** @type {number} */ factor) =>
        Array.from({ length: 6 }, () =>
          simulatedRun(random, { samples: Math.round(factor * (450 + 100 * random())) }),
        );
      const { time } = compare(side(1), side(longer));
      if (time && Math.abs(time.change) > time.margin) count++;
    }
    return count;
  };
  const [falsely, truly] = [isSlower(1), isSlower(1.1)];
  assert.ok(falsely <= 10, `${falsely} of 100`);
  assert.ok(truly >= 60, `${truly} of 100`);
});

test('a single sample of a trace stands for the interval at which it was taken', () => {
  const one = { trace: traceOf(['main@worker.js:1:1']), details: { sampleInterval: 8 } };
  const page = { trace: traceOf(times('main@app.js:1:1', 30)) };
  const comparison = new ShareComparison();
  for (let run = 0; run < 2; run++) {
    comparison.addBase(page);
    comparison.addNext(page, one);
  }
  const { time } = comparison.result();
  assert.ok(time);
  assert.equal(time.next - time.base, 8);
});

test('a function made 20 % slower is named first', () => {
  for (const [runs, options] of /** @type {[number, RunOptions][]} */ ([
    [1, { samples: 50_000 }],
    [8, { samples: 6_000 }],
    [16, { samples: 8_000, unsteadiness: 0.05 }],
    // Samples of such runs resemble their neighbours most of all, and the runs are alike.
    [14, { samples: 5_000, rounds: 10 }],
    [14, { samples: 5_000, rounds: 10, unsteadiness: 0.05 }],
  ])) {
    const count = howOften(
      runs,
      options,
      { slower: { f0: 1.2 } },
      ({ functions }) => functions[0]?.location.name === 'f0' && functions[0].change > 0,
    );
    assert.ok(count >= 95, `${count} of 100 with ${runs} runs, ${JSON.stringify(options)}`);
  }
});

test('what is told of a change is the shares and an interval that the truth is in', () => {
  const random = randomNumbers(1);
  const [first] = compare(
    [simulatedRun(random, { samples: 40_000 })],
    [simulatedRun(random, { samples: 40_000, slower: { f0: 2 } })],
  ).functions;
  const weights = Array.from({ length: 20 }, (_, i) => 1 / (i + 1)).reduce((a, b) => a + b);
  const truth = 2 / (weights + 1) - 1 / weights;
  assert.equal(first.location.name, 'f0');
  assert.ok(Math.abs(first.change - truth) < first.margin);
  assert.equal(first.change, first.next - first.base);
  assert.ok(first.margin < first.change);
});

test('one function that took all of the time, and another one that does now, are news', () => {
  const all = (/** @type {string} */ name) => [traceOf(times(name, 100)), traceOf(times(name, 100))];
  const { functions, resolution } = compare(all('old'), all('new'));
  assert.deepEqual(
    functions.map(({ location, change }) => [location.name, change]),
    [
      ['new', 1],
      ['old', -1],
    ],
  );
  assert.ok(resolution < 1, String(resolution));
});

test('growth comes first, then what shrank; new and lost functions are changes too', () => {
  const { functions } = compare(
    [traceOf([...times('main;a', 300), ...times('main;b', 300)])],
    [traceOf([...times('main;a', 300), ...times('main;c', 200), ...times('main;d', 100)])],
  );
  assert.deepEqual(
    functions.map(({ location, base, next }) => [location.name, base, Number(next.toFixed(3))]),
    [
      ['c', 0, 0.333],
      ['d', 0, 0.167],
      ['b', 0.5, 0],
    ],
  );
});

test('of a path that changed the innermost is told that has most of the change', () => {
  const { paths } = compare(
    [traceOf([...times('main;x;y;z', 100), ...times('main;other', 900)])],
    [traceOf([...times('main;x;y;z', 500), ...times('main;other', 500)])],
  );
  assert.deepEqual(
    paths.map(({ path }) => path.map(({ name }) => name).join(';')),
    ['main;x;y;z', 'main;other'],
  );
});

test('idle time counts nowhere', () => {
  const busy = [...times('main;a', 200), ...times('main;b', 200)];
  const { functions, base, next } = compare([traceOf(busy)], [traceOf([...busy, ...times('', 900)])]);
  assert.deepEqual([functions, base.samples, next.samples], [[], 400, 400]);
});

/** @param {string[]} files each has a function `f`, with so many samples @param {number[]} counts */
const filesTrace = (files, counts) =>
  traceOf(files.flatMap((file, i) => times(`f@https://a.example/assets/${file}:1:1`, counts[i])));

/** @param {ReturnType<typeof compare>} result @returns {string[]} */
const filesWithNews = ({ functions }) => functions.map(({ location }) => location.file);

test('functions of another build, server and line are the same', () => {
  const { functions, paths } = compare(
    [traceOf([...times('f@https://a.example/js/app-B5Qt9EMX.js?v=1:1:5', 200), ...times('g@x.js:1:1', 200)])],
    [traceOf([...times('f@http://localhost:80/js/app-Ca7d01_Z.js:9:5', 200), ...times('g@x.js:2:2', 200)])],
  );
  assert.deepEqual([functions, paths], [[], []]);
});

for (const [before, after] of [
  ['index-BxYzQwEr.js', 'index-DkLmNoPq.js'],
  ['index-Bx-z_wEr.js', 'index-DkL1-oPq.js'],
  ['vendor-react-1a2b3c4d.mjs', 'vendor-react-9f8e7d6c.mjs'],
  ['main.1a2b3c4d.chunk.js', 'main.9f8e7d6c.chunk.js'],
  ['app.0123456789abcdef0123.js', 'app.9876543210abcdef0123.js'],
  ['app-abc123.js', 'app-def456.js'],
  ['app.1a2b3c4.min.js', 'app.9f8e7d6.min.js'],
]) {
  test(`${before} and ${after} of another build are the same file`, () => {
    const result = compare([filesTrace([before], [200])], [filesTrace([after], [200])]);
    assert.deepEqual(filesWithNews(result), []);
  });
}

test('blobs, which have another address in each run, are the same file', () => {
  const blob = (/** @type {string} */ id) =>
    traceOf(times(`f@blob:http://localhost:1/${id}-aaaa-4bbb-8ccc-0123456789ab:1:1`, 200));
  assert.deepEqual(filesWithNews(compare([blob('3f1c2b00')], [blob('99999999')])), []);
});

for (const files of [
  ['vendor-react-1a2b3c4d.js', 'vendor-lodash-9f8e7d6c.js'],
  ['chart-renderer2.js', 'chart-controller3.js'],
  ['chart-ab12cd.js', 'chart-cd34ef.js'],
  ['chunk-VQK5B2NX.js', 'chunk-AOTWMPLE.js'],
]) {
  test(`${files.join(' and ')} of one run are two files`, () => {
    const result = compare([filesTrace(files, [500, 100])], [filesTrace(files, [100, 500])]);
    assert.equal(filesWithNews(result).length, 2);
  });
}

test('a side may have runs of several builds', () => {
  const build = (/** @type {string} */ hash) => filesTrace([`index-${hash}.js`, 'x.js'], [200, 200]);
  const result = compare(
    ['AAAAAAAA', 'AAAAAAAA', 'BBBBBBBB'].map(build),
    ['BBBBBBBB', 'CCCCCCCC', 'CCCCCCCC'].map(build),
  );
  assert.deepEqual([result.functions, result.paths, result.compared], [[], [], 4]);
});

test('a handful of samples is no news', () => {
  assert.ok(!hasNews(compare([traceOf(times('a', 8))], [traceOf(times('b', 8))])));
});
