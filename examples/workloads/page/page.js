/**
 * Runs the workload of its page once the page has loaded. Understands these query parameters:
 *
 *   scale     how much work, 1 by default
 *   interval  ms between samples; without it nothing is profiled and polyprof is not even loaded
 *   buffer    samples at most, 100000 by default
 *   polyprof  address of polyprof.js, /dist/polyprof.js by default
 *   native    the browser's own profiler in place of ours
 *   alone     ours without a worker
 *
 * The outcome is in `globalThis.__result`, and what `globalThis.__done` resolves with:
 * `{name, ms, digest}`, and of a profiled run also `{trace, mode, losses, sampleInterval}`.
 */
const realm = /** @type {any} */ (globalThis);

realm.__done = (async () => {
  const query = new URLSearchParams(location.search);
  const { name, run } = realm.__workload;
  if (document.readyState !== 'complete') await new Promise((resolve) => addEventListener('load', resolve));
  const input = await (await fetch('input.json')).json();

  const profiler = query.has('interval') ? await startProfiler(query) : undefined;
  const start = performance.now();
  const digest = await run(input, Number(query.get('scale') ?? 1));
  const ms = performance.now() - start;
  realm.__result = { name, ms, digest };
  if (profiler) {
    const { mode, sampleInterval } = profiler;
    const trace = await profiler.stop();
    Object.assign(realm.__result, { trace, mode, sampleInterval, losses: profiler.losses });
  }
  const status = /** @type {HTMLElement} */ (document.getElementById('status'));
  status.textContent = `${name}: ${ms.toFixed(0)} ms, digest ${digest}`;
  return realm.__result;
})();

/** @param {URLSearchParams} query @returns {Promise<any>} */
async function startProfiler(query) {
  const script = document.createElement('script');
  script.src = query.get('polyprof') ?? '/dist/polyprof.js';
  await new Promise((resolve, reject) => {
    script.onload = resolve;
    script.onerror = () =>
      reject(new Error(`${script.src} could not be loaded: was it built (npm run build)?`));
    document.head.append(script);
  });
  realm.polyprof.install({ force: !query.has('native'), worker: !query.has('alone') });
  return /** @type {any} */ (performance).profile({
    sampleInterval: Number(query.get('interval')),
    maxBufferSize: Number(query.get('buffer') ?? 100_000),
  });
}
