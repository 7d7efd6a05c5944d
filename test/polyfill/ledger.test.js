import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { Ledger } from '../../polyfill/capture/ledger.js';

/**
 * Ticks that are located, and stand for as many as the odds say.
 * @param {Ledger} ledger @param {string} text @param {number} after @param {number} last @param {number} odds
 */
function locate(ledger, text, after, last, odds) {
  const seen = { text, point: 0, skip: 0 };
  ledger.add(after, last, seen);
  ledger.credit(seen, Math.round((last - after) * (odds - 1)));
}

const step = fc.record({
  ticks: fc.integer({ min: 1, max: 200 }),
  /** 0: not located */
  odds: fc.oneof(fc.constant(0), fc.constant(1), fc.double({ min: 1, max: 300, noNaN: true })),
});

test('every tick is recorded once, and in order', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
      let recorded = 0;
      const ledger = new Ledger(({ after, last }) => {
        assert.equal(after, recorded);
        assert.ok(last > after);
        recorded = last;
      });
      let tick = 0;
      for (const { ticks, odds } of steps) {
        if (odds === 0) ledger.add(tick, tick + ticks, false);
        else locate(ledger, 'a', tick, tick + ticks, odds);
        tick += ticks;
      }
      const lost = ledger.settle();
      assert.equal(lost, steps.every(({ odds }) => odds === 0) ? tick : 0);
      assert.equal(recorded + lost, tick);
    }),
  );
});

test('a located tick is never given to another look', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
      /** @type {Map<number, string>} */
      const truth = new Map();
      const ledger = new Ledger(({ text, after, last }) => {
        for (let tick = after + 1; tick <= last; tick++) assert.equal(truth.get(tick) ?? text, text);
      });
      let tick = 0;
      steps.forEach(({ ticks, odds }, i) => {
        const last = tick + ticks;
        if (odds === 0) {
          ledger.add(tick, last, false);
        } else {
          for (let t = tick + 1; t <= last; t++) truth.set(t, String(i));
          locate(ledger, String(i), tick, last, odds);
        }
        tick = last;
      });
      ledger.settle();
    }),
  );
});

test('shares are true though what is long is located as seldom as its odds say', () => {
  // Three kinds of time, each with its own odds, in a fixed pseudo-random order.
  const kinds = [
    { text: 'rare', odds: 40, share: 0.2 },
    { text: 'seldom', odds: 7, share: 0.5 },
    { text: 'always', odds: 1, share: 0.3 },
  ];
  const got = new Map();
  const ledger = new Ledger(({ text, after, last }) => got.set(text, (got.get(text) ?? 0) + last - after));
  let seed = 1;
  const random = () => {
    seed = Math.imul(seed, 48271) & 0x7fffffff;
    return (seed >>> 8) / 2 ** 23;
  };
  const ticks = 200_000;
  for (let tick = 0; tick < ticks; tick++) {
    const r = random();
    const kind = kinds[r < 0.2 ? 0 : r < 0.7 ? 1 : 2];
    if (random() < 1 / kind.odds) locate(ledger, kind.text, tick, tick + 1, kind.odds);
    else ledger.add(tick, tick + 1, false);
  }
  assert.equal(ledger.settle(), 0);
  for (const { text, share } of kinds)
    assert.ok(Math.abs(got.get(text) / ticks - share) < 0.02, `${text} ${got.get(text)}`);
});

test('a long run keeps its credit when many short ones come after it', () => {
  let long = 0;
  const ledger = new Ledger(({ text, after, last }) => {
    if (text === 'long') long += last - after;
  });
  const seen = (/** @type {string} */ text) => ({ text, point: 0, skip: 0 });
  let tick = 0;
  for (let round = 0; round < 50; round++) {
    ledger.credit(seen('long'), 300);
    for (let i = 0; i < 300; i++) {
      ledger.credit(seen('short'), 1);
      ledger.add(tick, tick + 2, false);
      tick += 2;
    }
  }
  ledger.settle();
  assert.ok(Math.abs(long / tick - 0.5) < 0.05, `${long} of ${tick}`);
});
