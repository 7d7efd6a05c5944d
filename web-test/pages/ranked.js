// Ten functions with nearly all of the time, 9 to 11 % each, and four with 2 % in all. Each takes some 10 to 100 µs a call.

const words = Array.from({ length: 300 }, (_, i) => `word${(i * 7919) % 300}`);
const numbers = Float64Array.from({ length: 400 }, (_, i) => Math.sin(i));
const records = JSON.stringify(words.map((name, id) => ({ id, name })));
const text = words.join();

function sortWords() {
  return [...words].sort()[0];
}

function parseRecords() {
  return JSON.parse(records).length;
}

function multiplyMatrices() {
  const product = new Float64Array(400);
  for (let i = 0; i < 20; i++) {
    for (let j = 0; j < 20; j++) {
      let sum = 0;
      for (let k = 0; k < 20; k++) sum += numbers[20 * i + k] * numbers[20 * k + j];
      product[20 * i + j] = sum;
    }
  }
  return product[7];
}

function countLetters() {
  const counts = new Int32Array(128);
  for (let round = 0; round < 5; round++) {
    for (let i = 0; i < text.length; i++) counts[text.charCodeAt(i)]++;
  }
  return counts[119];
}

function matchPatterns() {
  return text.match(/\b\w+(\d)\1\b/g).length;
}

function sievePrimes() {
  const isComposite = new Uint8Array(4000);
  let count = 0;
  for (let i = 2; i < 4000; i++) {
    if (isComposite[i]) continue;
    count++;
    for (let j = i * i; j < 4000; j += i) isComposite[j] = 1;
  }
  return count;
}

function hashText() {
  let hash = 0;
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
  return hash;
}

function shuffleNumbers() {
  const order = Int32Array.from({ length: 1000 }, (_, i) => i);
  let seed = 7;
  for (let round = 0; round < 10; round++) {
    for (let i = 999; i > 0; i--) {
      seed = (Math.imul(seed, 1664525) + 1013904223) | 0;
      const other = (seed >>> 8) % (i + 1);
      const kept = order[i];
      order[i] = order[other];
      order[other] = kept;
    }
  }
  return order[7];
}

function searchGraph() {
  const distances = new Int32Array(1000).fill(-1);
  const queue = new Int32Array(1000);
  let found = 1;
  distances[0] = 0;
  for (let head = 0; head < found; head++) {
    const node = queue[head];
    for (let way = 3; way < 20; way += 4) {
      const next = (node * way + 1) % 1000;
      if (distances[next] >= 0) continue;
      distances[next] = distances[node] + 1;
      queue[found++] = next;
    }
  }
  return found;
}

function drawFractal() {
  let inside = 0;
  for (let i = 0; i < 50; i++) {
    let x = 0;
    let y = 0;
    let steps = 0;
    for (; steps < 100 && x * x + y * y < 4; steps++) {
      const next = x * x - y * y - 0.7;
      y = 2 * x * y + i / 100;
      x = next;
    }
    if (steps === 100) inside++;
  }
  return inside;
}

function trimWords() {
  return words.map((word) => word.trim()).length;
}

function roundNumbers() {
  return numbers.map(Math.round)[3];
}

function copyNumbers() {
  return numbers.slice().reverse()[3];
}

function escapeText() {
  return encodeURIComponent(text).length;
}

/** ms of a round. @type {Map<() => unknown, number>} */
const TURNS = new Map([
  [sortWords, 6],
  [parseRecords, 6],
  [multiplyMatrices, 5.5],
  [countLetters, 5.5],
  [matchPatterns, 5.5],
  [sievePrimes, 5],
  [hashText, 5],
  [shuffleNumbers, 5],
  [searchGraph, 5],
  [drawFractal, 5],
  [trimWords, 0.25],
  [roundNumbers, 0.25],
  [copyNumbers, 0.25],
  [escapeText, 0.25],
]);

/** For each look at the clock, which takes as long as some calls do: this function would be in the way of the tenth. */
const CALLS = 20;

/** @param {number} rounds of 55 ms @returns {string[]} names of the functions with most of the time, in alphabetical order */
globalThis.runRanked = function runRanked(rounds) {
  for (let round = 0; round < rounds; round++) {
    for (const [work, ms] of TURNS) {
      const end = performance.now() + ms;
      while (performance.now() < end) {
        for (let call = 0; call < CALLS; call++) work();
      }
    }
  }
  return [...TURNS.keys()]
    .slice(0, 10)
    .map(({ name }) => name)
    .sort();
};
