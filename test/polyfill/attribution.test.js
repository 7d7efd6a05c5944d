import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Attribution } from '../../polyfill/sampling/attribution.js';
import { ProbePoint } from '../../wasm/core.js';

/** Text of a stack on which the core finds no function with probes. */
const NOBODYS = 'nobody';

/** By `Attribution`, whose core takes what it is given: each text is another stack, but for one of nobody's. */
function attribution() {
  let asked = 0;
  let idle = 0;
  const memory = { isFull: false };
  /** @type {Map<string, number>} */
  const stacks = new Map();
  const core = {
    stackOfText(/** @type {string} */ text) {
      asked++;
      if (memory.isFull) return -1;
      if (text === NOBODYS) return 0;
      if (!stacks.has(text)) stacks.set(text, stacks.size + 1);
      return stacks.get(text);
    },
    record(/** @type {number} */ after, /** @type {number} */ last, /** @type {number} */ stack) {
      if (stack === 0) idle += last - after;
      return 0;
    },
  };
  const attribution = new Attribution(/** @type {any} */ (core), () => {});
  let tick = 0;
  /** @param {string} text @returns {boolean} the core was asked about it */
  const isAsked = (text) => {
    const before = asked;
    attribution.add({ text, point: ProbePoint.LEAVE, skip: 0, after: tick, last: ++tick });
    return asked > before;
  };
  return { attribution, isAsked, memory, idleTicks: () => idle };
}

/** As V8 has it. @param {number} frames */
const textOf = (frames) => Array.from({ length: frames }, (_, i) => `f@https://h/a.js:1:${i}\n`).join('');

test('a text that comes again is known, and long ones are forgotten before they fill the memory', () => {
  const { isAsked } = attribution();
  assert.deepEqual([isAsked('a short one'), isAsked('a short one')], [true, false]);
  // V8 takes the length of such a text as its hash: what differs at the end only would be compared as a whole with each one that is known.
  const rest = 'f'.repeat(100_000);
  let known = 0;
  for (let i = 0; i < 1000; i++) {
    assert.ok(isAsked(i + rest));
    if (isAsked(i + rest)) continue;
    known++;
  }
  assert.ok(known > 900, `${known} came twice in a row`);
  const kept = Array.from({ length: 1000 }, (_, i) => isAsked(i + rest)).filter((asked) => !asked);
  assert.ok(kept.length < 200, `${kept.length} of 1000 texts of 100 kB are still known`);
});

test('a stack that is deeper than the engine tells is counted once, however often its text is looked up', () => {
  const { attribution: it, isAsked } = attribution();
  isAsked(textOf(999));
  assert.equal(it.cut.size, 0, 'V8 tells 1000 frames');
  for (let i = 0; i < 5; i++) {
    assert.ok(isAsked(textOf(1000)));
    it.tablesChanged();
  }
  assert.equal(it.cut.size, 1);
  isAsked(`${textOf(1000)}, another one`);
  assert.equal(it.cut.size, 2);
});

test('a stack for which there was no memory is tried again when its text comes again', () => {
  const { isAsked, memory } = attribution();
  memory.isFull = true;
  assert.ok(isAsked('a text'));
  memory.isFull = false;
  assert.deepEqual([isAsked('a text'), isAsked('a text')], [true, false]);
});

test('what runs is on its own stack: a text without it is a loss at its leave, and no idle time', () => {
  const { attribution: it, idleTicks } = attribution();
  const look = { text: NOBODYS, skip: 0, after: 0, last: 3 };
  it.add({ ...look, point: ProbePoint.ENTER });
  assert.deepEqual([idleTicks(), it.lost], [3, 0]);
  it.add({ ...look, point: ProbePoint.LEAVE });
  assert.deepEqual([idleTicks(), it.lost], [3, 3]);
});

test('what no probe looked at may be idle, also where it is asked what ran next', () => {
  const { attribution: it, idleTicks } = attribution();
  const seen = { text: NOBODYS, point: ProbePoint.ENTER, skip: 0 };
  it.addLate(4, { ...seen, after: 0, last: 1 }, { ...seen, after: 1, last: 5 });
  assert.deepEqual([idleTicks(), it.lost], [2, 0]);
});
