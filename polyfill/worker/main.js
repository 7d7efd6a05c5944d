import { areFlagsDown, LATE, setFlags, STOP, TICK, WAKE } from '../cells.js';
import { Core } from '../../wasm/core.js';

/**
 * The worker's shell: the clock and the waiting around the core's schedule. It never returns to its event loop while a session
 * runs, so all it hears comes through the cells.
 */

/**
 * @typedef {object} Start
 * @property {WebAssembly.Module} module
 * @property {WebAssembly.Memory} memory
 * @property {{pointer: number, stackTop: number}} seat
 * @property {Int32Array} cells
 * @property {number} timeOrigin the page's; ms since the epoch
 */

onmessage = async ({ data }) => {
  const { module, memory, seat, cells, timeOrigin } = /** @type {Start} */ (data);
  let core;
  try {
    core = await Core.attach(module, memory, seat);
  } catch (error) {
    postMessage(String(error));
    return;
  }
  postMessage('ready');
  const offset = performance.timeOrigin - timeOrigin;
  tickUntilStopped(core, cells, () => performance.now() + offset);
  postMessage('stopped');
  close();
};

/**
 * @param {Core} core
 * @param {Int32Array} cells
 * @param {() => number} clock ms since the page's time origin
 */
function tickUntilStopped(core, cells, clock) {
  let last = 0;
  for (;;) {
    const plan = Atomics.load(cells, WAKE);
    if (plan === STOP) return;
    const interval = core.commonIntervalTicks();
    if (interval === 0) {
      Atomics.wait(cells, WAKE, plan);
      last = core.tickAt(clock());
      continue;
    }
    const tick = core.tickAt(clock());
    if (tick > last) {
      const late = tick - last - interval;
      if (late > 0 && areFlagsDown(cells)) Atomics.add(cells, LATE, late);
      last = tick;
      Atomics.store(cells, TICK, tick);
      setFlags(cells, 1);
    }
    Atomics.wait(cells, WAKE, plan, core.msUntilNextTick(clock()));
  }
}
