// Something to profile that never idles for long, with one hot function. Pages load it twice: nothing here may be declared only once.

function hotLoop(ms) {
  const end = performance.now() + ms;
  let heat = 1;
  while (performance.now() < end) heat = (Math.imul(heat, 1664525) + 1) | 0;
  return heat;
}

globalThis.busyAsync = async function busyAsync(ms) {
  return hotLoop(ms);
};

// A stretch in which the machine had no processor for the page does not count: it is ms in which anything may have run.
globalThis.stalledMs = 0;
globalThis.busy = function busy(ms) {
  let heat = 0;
  for (let left = ms; left > 0;) {
    const start = performance.now();
    heat ^= hotLoop(1);
    const took = performance.now() - start;
    if (took < 25) left -= took;
    else globalThis.stalledMs += took;
  }
  return heat;
};

globalThis.callInside = function callInside(call) {
  return call();
};
