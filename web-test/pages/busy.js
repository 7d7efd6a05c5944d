// Something to profile that never idles for long, with one hot function.
let heat = 0;

function hotLoop(ms) {
  const end = performance.now() + ms;
  while (performance.now() < end) heat = (Math.imul(heat | 1, 1664525) + 1) | 0;
  return heat;
}

globalThis.busy = function busy(ms) {
  const end = performance.now() + ms;
  while (performance.now() < end) hotLoop(1);
  return heat;
};
