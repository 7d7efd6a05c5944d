// A page that knows the truth: functions that take known shares of the time, measured here, by code without probes.
// Every one of them is a trap for one way of attributing samples wrongly. The test profiles it and compares.

/** Self time by function, ms; `(idle)` is time in which nothing ran. @type {Record<string, number>} */
const truth = {};

let sink = 0;

/* polyprof-ignore */
function charge(name, since) {
  truth[name] = (truth[name] || 0) + performance.now() - since;
}

/* polyprof-ignore */
function burn(name, rounds) {
  const since = performance.now();
  let x = sink | 1;
  for (let i = 0; i < rounds * 1000; i++) x = (Math.imul(x, 1664525) + i) | 0;
  sink ^= x;
  charge(name, since);
}

const json = JSON.stringify(
  Array.from({ length: 12000 }, (_, i) => ({ id: i, name: 'item ' + i, tags: [i, i + 1] })),
);
const words = Array.from({ length: 9000 }, (_, i) => 'w' + ((i * 7919) % 9000));

// A long time after the callee returned: an entry check alone would charge it to whoever is entered next.
function callee() {
  burn('callee', 400);
}

function longAfterCallee() {
  callee();
  burn('longAfterCallee', 3000);
}

// Many short calls, then a long leaf: a stack read root first would miss the short ones.
function short() {
  burn('short', 8);
}

function longLeaf() {
  burn('longLeaf', 2500);
}

function manyShortThenLong() {
  for (let i = 0; i < 150; i++) short();
  longLeaf();
}

// Time in built-ins belongs to the function that called them.
function parses() {
  const since = performance.now();
  sink ^= JSON.parse(json).length;
  charge('parses', since);
}

function sorts() {
  const since = performance.now();
  sink ^= words.slice().sort().length;
  charge('sorts', since);
}

function recursive(depth) {
  burn('recursive', 60);
  if (depth > 0) recursive(depth - 1);
  burn('recursive', 20);
}

// Exceptions leave functions without a return.
function throws() {
  burn('throws', 1200);
  throw new RangeError('on purpose');
}

function throughWhichItFlies() {
  burn('throughWhichItFlies', 800);
  throws();
}

function catches() {
  try {
    throughWhichItFlies();
  } catch (error) {
    burn('catches', 1000);
    if (!(error instanceof RangeError)) throw error;
  }
}

async function busyIdleBusy() {
  burn('busyIdleBusy', 1500);
  await idle(8);
  burn('busyIdleBusy', 1500);
  await idle(4, true).catch(afterRejection);
  try {
    await idle(6, true);
  } catch {
    burn('busyIdleBusy', 500);
  }
}

function afterRejection() {
  burn('afterRejection', 700);
}

function* generates() {
  for (let i = 0; i < 4; i++) {
    burn('generates', 300);
    yield i;
  }
}

function* delegates() {
  yield* generates();
}

function consumes() {
  for (const value of delegates()) {
    burn('consumes', 350 + value);
  }
}

function deepLeaf() {
  burn('deepLeaf', 2000);
}

function deep(depth) {
  if (depth > 0) deep(depth - 1);
  else deepLeaf();
}

/* polyprof-ignore */
function idle(ms, rejects) {
  const since = performance.now();
  return new Promise((resolve, reject) => {
    setTimeout(() => {
      charge('(idle)', since);
      if (rejects) reject(new Error('on purpose'));
      else resolve();
    }, ms);
  });
}

async function cycle() {
  longAfterCallee();
  manyShortThenLong();
  parses();
  await idle(10);
  sorts();
  recursive(12);
  catches();
  await busyIdleBusy();
  consumes();
  deep(500);
}

/** Runs cycles for at least that long and answers with the truth and the wall time. @param {number} ms */
globalThis.runGroundTruth = async (ms) => {
  for (const name in truth) delete truth[name];
  const start = performance.now();
  while (performance.now() - start < ms) await cycle();
  return { truth, wall: performance.now() - start };
};
