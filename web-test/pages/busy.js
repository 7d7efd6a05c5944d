// Something to profile that never idles for long, with one hot function. Pages load it twice: nothing here may be declared only once.

function hotLoop(ms) {
  const end = performance.now() + ms;
  let heat = 1;
  while (performance.now() < end) heat = (Math.imul(heat, 1664525) + 1) | 0;
  return heat;
}

globalThis.busy = function busy(ms) {
  const end = performance.now() + ms;
  let heat = 0;
  while (performance.now() < end) heat ^= hotLoop(1);
  return heat;
};
