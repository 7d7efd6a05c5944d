/* global polyprof, busy */
// In a worker: profiles busy() with pauses between, and answers with the trace or an error. Without `ms` until the buffer is full. `format` is that of stop();
// `watch` are options of polyprof.watch(), which begins before; `hide` is where sendOnHide() is to send the trace.

/** Lets other tasks run. A timer of 0 ms would take 4 in Firefox, and on a crowded machine far more. */
const turn = () =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = resolve;
    port2.postMessage(null);
  });

onmessage = async ({
  data: { options, ms, pauseMs = 0, force = true, worker, api = 'profile', format, watch, hide },
}) => {
  try {
    polyprof.install({ force, worker });
    if (watch) await polyprof.watch({ ...watch, report: () => {} });
    const profiler = api === 'profile' ? await performance.profile(options) : new Profiler(options);
    if (hide) await polyprof.sendOnHide(profiler, hide).ready;
    let isFull = false;
    profiler.addEventListener('samplebufferfull', () => (isFull = true));
    const before = performance.now();
    globalThis.stalledMs = 0;
    let pausedMs = 0;
    // The constructor has no way to tell when sampling began, but when the buffer is full it did.
    while (ms ? performance.now() < before + ms : !isFull) {
      busy(20);
      const worked = performance.now();
      await (pauseMs ? new Promise((resolve) => setTimeout(resolve, pauseMs)) : turn());
      pausedMs += performance.now() - worked;
    }
    const after = performance.now();
    const trace = await profiler.stop(format && { format });
    const isProfiler = api === 'profile' || profiler instanceof Profiler;
    const { mode, losses } = profiler;
    const { stalledMs } = globalThis;
    const isolated = crossOriginIsolated;
    postMessage({ trace, before, after, pausedMs, isProfiler, mode, losses, stalledMs, isolated });
  } catch (error) {
    postMessage({ error: `${error.name}: ${error.message}` });
  }
};
