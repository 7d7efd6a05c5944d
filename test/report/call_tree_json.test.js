import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { callTreeJson } from '../../report/formats/call_tree_json.js';
import { timedTraceArbitrary } from './arbitraries.js';
import { sampleCounts, StackSums, stackTimes } from './stack_times.js';
import { traceOf } from './traces.js';

/** @import { TreeNode } from '../../report/formats/call_tree_json.js' */
/** @import { Profile } from '../../report/formats/formats.js' */

/** @param {Profile[]} profiles @returns {TreeNode} */
const convert = (...profiles) => JSON.parse(callTreeJson(profiles));

/** @param {TreeNode} node */
const leaf = (node) => ({ ...node, data: null, children: [] });

test('a node has its function, its place, its own samples and those of all below', () => {
  const tree = convert({ name: 'shop', trace: traceOf(['main@a.js:1:5;f@a.js:2:5', 'main@a.js:1:5', '']) });
  const f = { function: 'f', site: 'a.js:2:5', data: null, samples: 1, selfCount: 1, children: [] };
  const main = { function: 'main', site: 'a.js:1:5', data: null, samples: 2, selfCount: 1, children: [f] };
  const idle = { function: '(idle)', site: '', data: null, samples: 1, selfCount: 1, children: [] };
  const data = { name: 'shop' };
  assert.deepEqual(tree, {
    function: '(root)',
    site: '',
    data,
    samples: 3,
    selfCount: 0,
    children: [main, idle],
  });
});

test('the root says what the profiler told about itself', () => {
  const details = { mode: 'flag', losses: { lostTicks: 3 } };
  assert.deepEqual(convert({ name: 'shop', trace: traceOf([]), details }).data, { name: 'shop', ...details });
});

test('several profiles are children of one root', () => {
  const { children, ...root } = convert(
    { name: 'one', trace: traceOf(['a']) },
    { name: 'two', trace: traceOf(['b', 'b']) },
  );
  assert.deepEqual(root, { function: '(all)', site: '', data: null, samples: 3, selfCount: 0 });
  assert.deepEqual(
    children.map(({ data, samples }) => [data, samples]),
    [
      [{ name: 'one' }, 1],
      [{ name: 'two' }, 2],
    ],
  );
});

test('a stack of ten thousand calls is written', () => {
  const text = callTreeJson([{ name: '', trace: traceOf([Array(10_000).fill('f').join(';')]) }]);
  assert.equal(text.split('"children":[').length - 1, 10_001);
  assert.equal(text.slice(-20_002), ']}'.repeat(10_001));
});

test('for any trace: samples are the own and those of the children, and stacks are the same', () => {
  fc.assert(
    fc.property(timedTraceArbitrary, (trace) => {
      const sums = new StackSums();
      const visit = (/** @type {TreeNode} */ node, /** @type {string[]} */ path) => {
        assert.equal(
          node.samples,
          node.children.reduce((sum, child) => sum + child.samples, node.selfCount),
          JSON.stringify(leaf(node)),
        );
        if (node.selfCount > 0) sums.add(path, 0, node.selfCount);
        for (const child of node.children) {
          const isIdle = child.function === '(idle)';
          const site = /:/.test(child.site) ? child.site : '::';
          visit(child, isIdle ? [] : [...path, `${child.function} ${site}`]);
        }
      };
      visit(convert({ name: '', trace }), []);
      assert.deepEqual(sampleCounts(sums.sums), sampleCounts(stackTimes(trace)));
    }),
  );
});
