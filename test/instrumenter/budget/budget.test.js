import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { budgetText } from '../../../instrumenter/budget/budget_summary.js';
import { leftOut } from '../../../instrumenter/budget/choose.js';
import { readCalibration, writeCalibration } from '../../../instrumenter/budget/calibration.js';
import { listFunctions } from '../../../instrumenter/budget/list_functions.js';
import { costUs } from '../../../instrumenter/budget/probe_costs.js';
import { countByWeight } from '../../../instrumenter/budget/unseen.js';
import { FunctionFlag } from '../../../instrumenter/tables/function_table.js';
import { instrument } from '../../../instrumenter/instrument.js';
import { readFunctionTable } from '../../../report/symbols/read_function_table.js';

const HEAVY = Array.from({ length: 12 }, (_, i) => `a(${i});`).join(' ');
const PROGRAM = `
function tiny(x) { return x + 1 }
function rare(list) { return list.sort() }
function heavy(n) { for (let i = 0; i < n; i++) tiny(i); ${HEAVY} }
function unused() { ${HEAVY} }
function small() { return 1 }
async function rejects() { try { await heavy(1) } catch { tiny(0) } }`;

const options = { file: 'a.js', sourceMap: false };

/**
 * @param {readonly import('../../../instrumenter/budget/choose.js').Candidate[]} probed
 * @param {number} busyUs
 * @param {string} probe
 * @returns {number} share of the time that their probes cost
 */
function estimatedOverhead(probed, busyUs, probe) {
  return probed.reduce((sum, { calls, starts }) => sum + costUs(calls, probe, starts), 0) / busyUs;
}

/** @param {Record<string, [calls: number, selfUs: number]>} called */
function calibration(called) {
  const functions = listFunctions(PROGRAM, options)
    .filter(({ key }) => called[key.name])
    .map(({ key: { name, shape } }) => /** @type {any} */ ([name, shape, ...called[name]]));
  return /** @type {const} */ ({
    version: 1,
    selfTime: 'measured',
    busyMs: 1000,
    sources: { 'a.js': functions },
  });
}

/** @param {string} code */
const probed = (code) =>
  [...code.matchAll(/function (\w+)\([^)]*\) ?\{(?:var __pp[\w=[\]]+;|var __pp[^;]*;)?__pp[FA]\[/g)].map(
    ([, name]) => name,
  );

const CALLED = calibration({ tiny: [50_000_000, 100_000], rare: [3, 200_000], heavy: [1000, 600_000] });

test('with a calibration, what is called most for its time has no probes; what was called has them whatever its weight', () => {
  const { code, summary } = instrument(PROGRAM, { ...options, calibration: CALLED, budget: 0.01 });
  assert.deepEqual(probed(code), ['rare', 'heavy', 'unused']);
  const { budget } = summary;
  assert.ok(budget);
  assert.deepEqual(
    budget.leftOut.map(({ name, calls }) => [name, calls]),
    [['tiny (a.js)', 50_000_000]],
  );
  assert.deepEqual([budget.functions, budget.visibleFunctions], [3, 2]);
  assert.deepEqual([budget.selfUs, budget.visibleSelfUs], [900_000, 800_000]);
  assert.equal(budget.visibleCalls, 1003);
});

test('what costs too much only while checks are calls looks at other flags, and the table says so', () => {
  const called = calibration({ tiny: [1_500_000, 300_000], rare: [3, 100_000], heavy: [1000, 600_000] });
  const built = (/** @type {object} */ more) =>
    instrument(PROGRAM, { ...options, calibration: called, ...more });
  const quiet = (/** @type {ReturnType<typeof instrument>} */ { table }) =>
    readFunctionTable(/** @type {Uint8Array} */ (table))
      .functions.filter(({ flags }) => flags & FunctionFlag.QUIET)
      .map(({ name }) => name);
  const { code, summary } = built({ budget: 0.01 });
  assert.match(
    budgetText(
      /** @type {import('../../../instrumenter/budget/budget_summary.js').BudgetSummary} */ (summary.budget),
      1000,
      9,
    ),
    /isolated, checks take 0\.00 % of the time while a session runs; visible are 66\.7 % of the functions called, 70\.0 % of self time/,
  );
  assert.deepEqual(probed(code), ['tiny', 'rare', 'heavy', 'unused']);
  assert.match(
    code,
    /function tiny\(x\) \{var __ppT;__ppF\[__ppF\[8\]=4\]&&`\$\{__ppH\}`;.*__ppF\[[567]\]&&\+__ppH,__ppT/,
  );
  assert.match(code, /function heavy\(n\) \{__ppF\[__ppF\[8\]=0\]&&!--__ppF\[9\]&&__ppH\.e\(\)/);
  assert.deepEqual(quiet(built({ budget: 0.01 })), ['tiny']);
  assert.deepEqual(quiet(built({ budget: 0.05 })), []);
  assert.deepEqual(quiet(built({ budget: 0.01, probe: 'shadow' })), []);
});

test('of many functions that are called a few times, those that show most have what the budget allows', () => {
  const functions = Array.from({ length: 100 }, (_, i) => ({ calls: 5, selfUs: 10 * i }));
  const limit = { budget: 0.01, busyUs: 50_000, probe: 'flag' };
  const out = leftOut(functions, limit);
  const kept = functions.filter((each) => !out.has(each));
  assert.ok(kept.length > 10 && kept.length < 50, String(kept.length));
  assert.deepEqual(kept, functions.slice(-kept.length));
  assert.ok(estimatedOverhead(kept, limit.busyUs, 'flag') > 0.009);
  assert.ok(
    estimatedOverhead(kept, limit.busyUs, 'raised') < 0.001,
    'checks that are called compile nothing',
  );
});

test('of functions with as many calls in all, those that are called over and over cost least: engines compile them', () => {
  const overhead = (/** @type {number} */ functions, /** @type {number} */ calls) =>
    estimatedOverhead(Array(functions).fill({ calls, selfUs: 0 }), 1e6, 'flag');
  const all = [overhead(1, 1e6), overhead(100, 1e4), overhead(1000, 1000), overhead(1e5, 10)];
  assert.deepEqual(
    all.toSorted((a, b) => a - b),
    all,
  );
  assert.ok(all[2] > 10 * all[0], String(all));
});

test('calls of many pages cost more than as many of one, which has compiled the function by then', () => {
  const overhead = (/** @type {number} */ starts) =>
    estimatedOverhead([{ calls: 1000, selfUs: 0, starts }], 1e6, 'flag');
  assert.ok(overhead(100) > 10 * overhead(1), `${overhead(100)} ${overhead(1)}`);
  const called = calibration({ heavy: [100, 100_000], rare: [100, 200_000] });
  const [heavy] = called.sources['a.js'].filter(([name]) => name === 'heavy');
  const built = () =>
    instrument(PROGRAM, { ...options, calibration: structuredClone(called), budget: 0.001 });
  assert.ok(probed(built().code).includes('heavy'));
  /** @type {any} */ (heavy).push(100);
  assert.ok(!probed(built().code).includes('heavy'));
});

test('what was not called but has to be read has a quarter of the budget, the heaviest first', () => {
  const functions = Array.from(
    { length: 40 },
    (_, i) => `function unseen${i}() { ${'a();'.repeat(12 + i)} }`,
  ).join('\n');
  const program = `${PROGRAM}\n${functions}\nfunction seen() { ${HEAVY} }`;
  const listed = listFunctions(program, options);
  const isSeen = (/** @type {{key: {name: string}}} */ { key }) => key.name === 'seen';
  /** @type {import('../../../instrumenter/budget/calibration.js').Calibration} */
  const calibration = {
    version: 1,
    selfTime: 'measured',
    busyMs: 10,
    sources: {
      'a.js': listed.filter(isSeen).map(({ key: { name, shape } }) => [name, shape, 1, 10_000]),
    },
    unseen: countByWeight(listed.filter((listedFunction) => !isSeen(listedFunction))),
  };
  const built = (/** @type {object} */ more) => instrument(program, { ...options, calibration, ...more });
  // 100 µs, of which 8 functions may take 3 each.
  const { code, summary } = built({ budget: 0.01 });
  const expected = [...Array.from({ length: 8 }, (_, i) => `unseen${32 + i}`), 'seen'];
  assert.deepEqual(probed(code), expected);
  assert.ok(summary.budget);
  assert.equal(Math.round(summary.budget.costUs), 8 * 3 + 10);
  assert.match(
    budgetText(summary.budget, 10, 9),
    /not called, since engines read its probes, too: 34, the lightest$/,
  );
  assert.deepEqual(probed(built({ budget: 1 }).code).length, 43, 'all but the light ones');
  const { unseen, ...without } = calibration;
  assert.ok(unseen);
  assert.equal(probed(built({ budget: 0.01, calibration: without }).code).length, 43);
  const entryPoint = `${program}\nsetTimeout(function late() { a(); b() })`;
  const [late] = listFunctions(entryPoint, options).filter(({ key }) => key.name === 'late');
  const more = { unseen: [...unseen, ...countByWeight([late])] };
  const { code: withLate } = instrument(entryPoint, {
    ...options,
    budget: 0.01,
    calibration: { ...calibration, ...more },
  });
  assert.deepEqual(probed(withLate), [...expected.slice(1), 'late']);
  const elsewhere = instrument(program, { ...options, file: 'b.js', calibration, budget: 0.01 });
  assert.equal(probed(elsewhere.code).length, 43, 'of a script that did not run');
});

test('a budget that is large enough leaves nothing out', () => {
  const { code } = instrument(PROGRAM, { ...options, calibration: CALLED, budget: 1 });
  assert.deepEqual(probed(code), ['tiny', 'rare', 'heavy', 'unused']);
});

test('with shadow probes, what is left out keeps the depth of the stack right where exceptions end', () => {
  const called = calibration({ rejects: [90_000_000, 1], heavy: [10, 1000] });
  const { code } = instrument(PROGRAM, { ...options, probe: 'shadow', calibration: called, budget: 0.01 });
  assert.match(code, /catch \{__ppD\?|catch \{!__ppD\?|catch \{__ppA\[0\]/);
});

test('without a calibration, small functions that loops call are the first to go', () => {
  const loops = `
    function leaf(x) { let y = x; y++; y++; y++; y++; y++; y++; y++; y++; y++; y++; y++; return y }
    function once(list) { for (const a of list) for (const b of a) leaf(b); let z = 1; z++; z++; z++; z++; z++; z++; z++; z++ }`;
  assert.deepEqual(probed(instrument(loops, options).code), ['leaf', 'once']);
  assert.deepEqual(probed(instrument(loops, { ...options, budget: 0.01 }).code), ['once']);
});

test('marks are stronger than the budget', () => {
  const marked = PROGRAM.replace('function tiny', '/* polyprof-include */ function tiny');
  const { code } = instrument(marked, { ...options, calibration: CALLED, budget: 0.01 });
  assert.deepEqual(probed(code), ['tiny', 'rare', 'heavy', 'unused']);
});

const candidates = fc.array(fc.record({ calls: fc.nat(1e6), selfUs: fc.nat(1e6) }), { maxLength: 40 });

test('whatever the functions are, the estimate is within the budget, and nothing that would still fit is left out', () => {
  fc.assert(
    fc.property(candidates, fc.double({ min: 0.001, max: 0.5, noNaN: true }), (functions, budget) => {
      const limit = { budget, busyUs: 100_000, probe: 'flag' };
      const out = leftOut(functions, limit);
      const kept = functions.filter((fn) => !out.has(fn));
      const overhead = estimatedOverhead(kept, limit.busyUs, limit.probe);
      assert.ok(overhead <= budget + 1e-9);
      for (const fn of out) {
        assert.ok(fn.calls > 0);
        assert.ok(estimatedOverhead([...kept, fn], limit.busyUs, limit.probe) > budget - 1e-9);
      }
    }),
  );
});

test('a calibration is written sorted, a line for each function, and read back', () => {
  const text = writeCalibration({
    version: 1,
    selfTime: 'measured',
    busyMs: 12.34,
    sources: {
      'b.js': [['z', '1', 2, 3]],
      'a "quoted".js': [
        ['y', '2', 5, 6],
        ['x', '1', 3, 4],
      ],
    },
    unseen: [
      [1, 20],
      [12, 3],
    ],
  });
  assert.equal(
    text,
    `{
  "version": 1,
  "selfTime": "measured",
  "busyMs": 12.3,
  "unseen": [[1,20],[12,3]],
  "sources": {
    "a \\"quoted\\".js": [
      ["x","1",3,4],
      ["y","2",5,6]
    ],
    "b.js": [
      ["z","1",2,3]
    ]
  }
}
`,
  );
  assert.equal(writeCalibration(readCalibration(text, 'x.json')), text);
});

/** @type {Record<string, [text: string, message: RegExp]>} */
const BAD = {
  'half a file': ['{"version": 1', /^CalibrationError: x\.json is no JSON: /],
  'a list': ['[]', /^CalibrationError: x\.json: it must hold an object; polyprof calibrate makes a new one$/],
  'another version': ['{"version": 2}', /its version must be 1, not 2/],
  'no time': [
    '{"version":1,"selfTime":"measured","busyMs":0,"sources":{}}',
    /busyMs must be a number above 0/,
  ],
  'a short line': [
    '{"version":1,"selfTime":"measured","busyMs":1,"sources":{"a.js":[["f","1",2]]}}',
    /sources\["a\.js"\] must hold \[name, shape, calls, selfUs\] and maybe starts, not \["f","1",2\]/,
  ],
  'vague about what was not called': [
    '{"version":1,"selfTime":"measured","busyMs":1,"sources":{},"unseen":[["f",2]]}',
    /unseen must be a list of \[weight, functions\]/,
  ],
  'negative calls': [
    '{"version":1,"selfTime":"measured","busyMs":1,"sources":{"a.js":[["f","1",-2,3]]}}',
    /not \["f","1",-2,3\]/,
  ],
};

for (const [what, [text, message]] of Object.entries(BAD)) {
  test(`a calibration that is ${what} is refused with the file and the place`, () => {
    assert.throws(() => readCalibration(text, 'x.json'), message);
  });
}

test('the calibration of a workload that took no time to speak of can be read', () => {
  const text = writeCalibration({ version: 1, selfTime: 'measured', busyMs: 0.001, sources: {} });
  assert.equal(readCalibration(text, 'x.json').busyMs, 0.1);
});

test('a budget that is no share, and a calibration that is none, are refused', () => {
  for (const budget of [0, -1, 2, NaN, /** @type {any} */ ('1%')]) {
    assert.throws(() => instrument('f()', { budget }), /budget must be a number above 0, at most 1/);
  }
  assert.throws(
    () => instrument('f()', { calibration: /** @type {any} */ ({}) }),
    /^TypeError: calibration: its version/,
  );
});
