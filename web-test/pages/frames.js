// Each of these is too small for probes, but for the one that the event loop calls.

function spin(ms) {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

function step(left, done) {
  spin(10);
  if (left > 1) setTimeout(() => step(left - 1, done));
  else done();
}

globalThis.runTimers = (count) => new Promise((resolve) => setTimeout(() => step(count, resolve)));
