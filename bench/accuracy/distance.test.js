import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commonInTopTen, distance, farthest, noise } from './distance.js';

const profile = (/** @type {Record<string, number>} */ samples) => new Map(Object.entries(samples));

test('profiles with the same shares have no distance, whatever their lengths', () => {
  assert.equal(distance(profile({ f: 10, g: 30 }), profile({ f: 1, g: 3 })), 0);
});

test('profiles with nothing in common have distance 1', () => {
  assert.equal(distance(profile({ f: 10 }), profile({ g: 7 })), 1);
});

test('what one has too much the other one has too little, and counts once', () => {
  const apart = distance(profile({ f: 60, g: 40 }), profile({ f: 50, g: 50 }));
  assert.ok(Math.abs(apart - 0.1) < 1e-12, `${apart}`);
});

test('of the ten hottest functions those count that both have, and idle is none', () => {
  const a = profile({
    '': 999,
    ...Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`f${i}`, 100 - i])),
  });
  const b = profile({
    '': 1,
    ...Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`f${i + 4}`, 100 - i])),
  });
  assert.equal(commonInTopTen(a, b), 6);
  assert.equal(commonInTopTen(a, a), 10);
});

test('the noise is what two samples of one truth really differ by', () => {
  const shares = [0.5, 0.2, 0.1, 0.1, 0.05, 0.05];
  let state = 1;
  const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  const draw = (/** @type {number} */ size) => {
    const samples = new Map(shares.map((_, i) => [String(i), 0]));
    for (let n = 0; n < size; n++) {
      let at = random();
      const i = shares.findIndex((share) => (at -= share) < 0);
      samples.set(String(i), (samples.get(String(i)) ?? 0) + 1);
    }
    return samples;
  };
  let distances = 0;
  let expected = 0;
  for (let round = 0; round < 200; round++) {
    const [a, b] = [draw(400), draw(1000)];
    distances += distance(a, b);
    expected += noise(a, b);
  }
  assert.ok(Math.abs(distances / expected - 1) < 0.1, `${distances / expected}`);
});

test('where two profiles differ most is the function whose share does, whatever their sizes and idle time', () => {
  const key = (/** @type {string} */ name) => JSON.stringify([name, 'x.js', 1, 1]);
  const a = new Map([
    [key('f'), 30],
    [key('g'), 60],
    ['', 10],
  ]);
  const b = new Map([
    [key('g'), 500],
    [key(''), 400],
    ['', 100],
  ]);
  assert.equal(farthest(a, b), '(anonymous) 0.0, 40.0');
  assert.equal(farthest(a, new Map([[key('g'), 1]])), 'g 60.0, 100.0');
});
