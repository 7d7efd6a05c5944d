import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { callTree } from '../../report/traces/call_tree.js';
import { checkTrace } from '../../report/reading/check_trace.js';
import { traceArbitrary } from './arbitraries.js';
import { deepTrace, traceOf } from './traces.js';

/** @import { PathTime } from '../../report/traces/call_tree.js' */

/** @param {string[]} samples */
function times(samples) {
  const { functions } = callTree(traceOf(samples));
  return Object.fromEntries(functions.map(({ location, self, total }) => [location.name, { self, total }]));
}

test('self is where a sample ends, total is all that is on its stack', () => {
  assert.deepEqual(times(['main;parse;scan', 'main;parse', 'main;emit', 'main;parse;scan']), {
    scan: { self: 2, total: 2 },
    parse: { self: 1, total: 3 },
    emit: { self: 1, total: 1 },
    main: { self: 0, total: 4 },
  });
});

test('recursion counts once in total', () => {
  assert.deepEqual(times(['main;walk;walk;walk', 'main;walk;visit;walk']), {
    walk: { self: 2, total: 2 },
    main: { self: 0, total: 2 },
    visit: { self: 0, total: 1 },
  });
});

test('idle samples are counted apart from all functions', () => {
  const tree = callTree(traceOf(['', 'main', '', '']));
  assert.equal(tree.samples, 4);
  assert.equal(tree.idle, 3);
  assert.equal(tree.root.total, 1);
  assert.deepEqual(
    tree.functions.map(({ total }) => total),
    [1],
  );
});

test('functions of one name at different places are different, and frames of one place are one', () => {
  const trace = traceOf(['f@a.js:1:1', 'f@a.js:2:1', 'f@b.js:1:1']);
  trace.frames.push({ ...trace.frames[0] });
  trace.stacks.push({ frameId: 3 });
  trace.samples.push({ timestamp: 200, stackId: 3 });
  const { functions } = callTree(checkTrace(trace));
  assert.deepEqual(
    functions.map(({ location, self }) => [location.file, location.line, self]),
    [
      ['a.js', 1, 2],
      ['a.js', 2, 1],
      ['b.js', 1, 1],
    ],
  );
});

test('paths are kept, the heaviest first', () => {
  const { root } = callTree(traceOf(['a;x', 'b;x', 'b;x', 'b']));
  /** @type {(node: PathTime) => Record<string, unknown>} */
  const shape = (node) => ({
    [`${node.location?.name} ${node.self}/${node.total}`]: node.children.map(shape),
  });
  assert.deepEqual(shape(root), {
    'undefined 0/4': [{ 'b 1/3': [{ 'x 2/2': [] }] }, { 'a 0/1': [{ 'x 1/1': [] }] }],
  });
});

test('frames that no sample has are left out', () => {
  const trace = traceOf(['main;work', 'main']);
  trace.samples.shift();
  assert.deepEqual(
    callTree(trace).functions.map(({ location }) => location.name),
    ['main'],
  );
});

test('a stack of fifty thousand calls is summed up', () => {
  const { functions, root } = callTree(traceOf([Array(50_000).fill('f').join(';')]));
  assert.deepEqual([functions[0].self, functions[0].total, root.total], [1, 1, 1]);
});

test(
  'a sample in each call of sixty thousand within each other are summed up in a moment',
  { timeout: 10_000 },
  () => {
    const { functions, root } = callTree(deepTrace(60_000));
    assert.deepEqual([functions[0].self, functions[0].total, root.total], [60_000, 60_000, 60_000]);
  },
);

test('for any trace: self times and idle sum to all samples, and no total is below its self or above the whole', () => {
  fc.assert(
    fc.property(traceArbitrary, (trace) => {
      const { functions, root, idle, samples } = callTree(checkTrace(trace));
      const selfSum = functions.reduce((sum, { self }) => sum + self, 0);
      assert.equal(selfSum + idle, samples);
      assert.equal(root.total, selfSum);
      for (const { self, total } of functions) assert.ok(self <= total && total <= root.total);
    }),
  );
});

test('for any trace: each path has its own samples and those of the paths below', () => {
  fc.assert(
    fc.property(traceArbitrary, (trace) => {
      const open = [callTree(trace).root];
      for (let node = open.pop(); node; node = open.pop()) {
        assert.equal(
          node.total,
          node.children.reduce((sum, child) => sum + child.total, node.self),
        );
        open.push(...node.children);
      }
    }),
  );
});
