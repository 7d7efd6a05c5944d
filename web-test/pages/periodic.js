// In each 10 ms, 3 ms of one function and 7 ms of another.

const PERIOD_MS = 10;
const WORK_MS = 3;

function works(until) {
  let x = 1;
  while (performance.now() < until) for (let i = 0; i < 50; i++) x = (Math.imul(x, 1664525) + i) | 0;
  return x;
}

function doesOther(until) {
  let x = 1;
  while (performance.now() < until) for (let i = 0; i < 50; i++) x = (Math.imul(x, 22695477) + i) | 0;
  return x;
}

/** Works from times that are `phase` modulo the period on. Returns the share of that work: a busy machine makes it longer. */
function periodic(phase, periods) {
  let worked = 0;
  let start = Math.ceil(performance.now() / PERIOD_MS) * PERIOD_MS + phase;
  doesOther(start);
  const first = performance.now();
  for (; periods > 0; periods--, start += PERIOD_MS) {
    const before = performance.now();
    works(start + WORK_MS);
    worked += performance.now() - before;
    doesOther(start + PERIOD_MS);
  }
  return worked / (performance.now() - first);
}

Object.assign(globalThis, { periodic });
