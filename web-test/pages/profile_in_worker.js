/* global polyprof, busy */
// In a worker: profiles busy() with pauses between, and answers with the trace or an error. Without `ms` until the buffer is full.

onmessage = async ({ data: { options, ms, pauseMs = 0, force = true, worker, api = 'profile' } }) => {
  try {
    polyprof.install({ force, worker });
    const profiler = api === 'profile' ? await performance.profile(options) : new Profiler(options);
    let isFull = false;
    profiler.addEventListener('samplebufferfull', () => (isFull = true));
    const before = performance.now();
    // The constructor has no way to tell when sampling began, but when the buffer is full it did.
    while (ms ? performance.now() < before + ms : !isFull) {
      busy(20);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    const after = performance.now();
    const trace = await profiler.stop();
    const isProfiler = api === 'profile' || profiler instanceof Profiler;
    const { mode, losses } = profiler;
    postMessage({ trace, before, after, isProfiler, mode, losses, isolated: crossOriginIsolated });
  } catch (error) {
    postMessage({ error: `${error.name}: ${error.message}` });
  }
};
