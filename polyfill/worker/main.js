import {
  cellsOf,
  LATE,
  LIFE,
  LOST,
  PAUSED,
  SAMPLING,
  SEEN,
  SINCE,
  STOP,
  TICK,
  WAKE,
} from '../sampling/cells.js';
import { areDown, flagsOf, lower, raise } from '../hook/flags.js';
import { ofPrevious } from '../sampling/late_ticks.js';
import { CoreError, IDLE_STACK, NEVER } from '../../wasm/boundary.js';
import { timeNow, timeOrigin as ownOrigin } from '../../wasm/clock.js';
import { attachSeat } from '../../wasm/core_seat.js';

/**
 * The worker's shell: the clock and the waiting around the core's schedule. It never returns to its event loop while a session
 * runs, so all it hears comes through the cells.
 */

/**
 * @typedef {import('../../wasm/core_seat.js').CoreSeat} CoreSeat
 * @typedef {object} Start
 * @property {WebAssembly.Module} module
 * @property {WebAssembly.Memory} memory
 * @property {{pointer: number, stackTop: number}} seat
 * @property {Int8Array} flags `hook.f`
 * @property {number} timeOrigin the page's; ms since the epoch
 * @property {number} life our number, see cells.js
 */

onmessage = async ({ data }) => {
  const { module, memory, seat, flags, timeOrigin, life } = /** @type {Start} */ (data);
  const cells = cellsOf(memory);
  let core;
  try {
    core = await attachSeat(module, memory, seat);
  } catch (error) {
    postMessage(String(error));
    return;
  }
  // Before the answer: the page looks at its own once more then. The median of three, since WebKit reckons it from two clocks, between which a busy
  // machine may stop the thread.
  const offset = [ownOrigin(), ownOrigin(), ownOrigin()].sort((a, b) => a - b)[1] - timeOrigin;
  postMessage('ready');
  const clock = () => timeNow() + offset;
  tickUntilStopped(core, cells, life, clock, flagsOf(flags));
  close();
};

/** No busy machine keeps us waiting that long: it slept, or the browser froze the page. What ran meanwhile, if anything, nobody knows. */
const ASLEEP_TICKS = 1000;

/**
 * @typedef {(after: number, tick: number, late: number) => number} OnTick ticks in (after, tick] are due; of `late` of them we know late;
 *   returns the latest tick that it told
 */

/**
 * @param {CoreSeat} core
 * @param {Int32Array} cells
 * @param {number} life
 * @param {() => number} clock ms since the page's time origin
 * @param {import('../hook/flags.js').Flags} flags
 */
function tickUntilStopped(core, cells, life, clock, flags) {
  let isSampling = false;
  let onTick = raiseFlags(cells, flags, core, clock);
  let last = 0;
  /** The tick that we slept for. */
  let awaited = NEVER;
  let since = -1;
  const followSampling = () => {
    if (isSampling || Atomics.load(cells, SAMPLING) === 0) return;
    isSampling = true;
    onTick = sample(core, cells);
    // What we told the page after SINCE it will not record.
    lower(flags);
    last = since = -1;
  };
  const followSince = () => {
    if (Atomics.load(cells, SINCE) === since) return;
    since = Atomics.load(cells, SINCE);
    last = Math.max(last, since);
    Atomics.store(cells, TICK, last);
    // The sessions that came may have gone before we woke up.
    if (isSampling) awaited = last + 1;
  };
  Atomics.wait(cells, WAKE, 0);
  for (;;) {
    if (Atomics.load(cells, LIFE) !== life) return;
    const plan = Atomics.load(cells, WAKE);
    const wasOpen = core.longestWaitTicks() > 0;
    // Before the look at PAUSED: so no sample is of a time at which the page was hidden, however late this thread goes on.
    const now = clock();
    const isPaused = plan === STOP || Atomics.load(cells, PAUSED) !== 0;
    // After that look, for the same reason: it may have been hidden and shown again since our last.
    followSampling();
    followSince();
    const isOpen = core.longestWaitTicks() > 0;
    const tick = core.tickAt(now);
    // Nobody wanted one until then.
    if (isSampling && !wasOpen && !isOpen && awaited === NEVER) last = Math.max(last, tick);
    // Of sessions that ended while we slept, what we slept for and what came after it are still to be recorded.
    const due = isOpen ? core.nextTick(last) : awaited;
    if (!isPaused && tick >= due) last = onTick(last, tick, tick - due);
    awaited = NEVER;
    // What ended after the look at the clock had more ticks than we know of yet.
    const mayHaveEnded = wasOpen || isOpen || Atomics.load(cells, WAKE) !== plan;
    if (mayHaveEnded && isSampling && !isPaused) {
      const next = core.nextTick(last);
      // The last session may end while we are here.
      awaited = next < NEVER ? next : last + 1;
    }
    Atomics.store(cells, SEEN, plan);
    if (plan === STOP) return;
    if (isOpen && !isPaused) {
      Atomics.wait(cells, WAKE, plan, core.msUntilNextTick(clock()));
    } else {
      Atomics.wait(cells, WAKE, plan);
    }
  }
}

/**
 * Flag probes: tells the page.
 * @param {Int32Array} cells
 * @param {import('../hook/flags.js').Flags} flags
 * @param {CoreSeat} core
 * @param {() => number} clock
 * @returns {OnTick}
 */
function raiseFlags(cells, flags, core, clock) {
  return (after, tick, late) => {
    const wereDown = areDown(flags);
    if (late > ASLEEP_TICKS && wereDown) {
      Atomics.add(cells, LOST, late);
      Atomics.store(cells, SINCE, after + late);
    } else if (late > 0 && wereDown) {
      Atomics.add(cells, LATE, late);
    }
    Atomics.store(cells, TICK, tick);
    raise(flags);
    // Between the look at the clock and here the system may have stopped us, or a lock of the engine's.
    const raised = core.tickAt(clock());
    if (!wereDown || raised <= tick || areDown(flags)) return tick;
    Atomics.add(cells, LATE, raised - tick);
    Atomics.store(cells, TICK, raised);
    return raised;
  };
}

/**
 * Shadow probes: samples by itself.
 * @param {CoreSeat} core
 * @param {Int32Array} cells
 * @returns {OnTick}
 */
function sample(core, cells) {
  let previous = IDLE_STACK;
  let recorded = 0;
  return (before, tick, slept) => {
    const isAsleep = slept > ASLEEP_TICKS;
    const after = isAsleep ? before + slept : before;
    const late = isAsleep ? 0 : slept;
    if (isAsleep) Atomics.add(cells, LOST, slept);
    try {
      const stack = core.stackOfShadow();
      if (stack < 0) throw new CoreError('stackOfShadow', -stack);
      // A new session: what ran at the end of the last one does not matter.
      if (before !== recorded) previous = stack;
      const middle = after + ofPrevious(late, previous, stack);
      let full = middle > after ? core.record(after, middle, previous) : 0;
      full += core.record(middle, tick, stack);
      if (late > 0) Atomics.add(cells, LATE, late);
      previous = stack;
      if (full > 0) postMessage('full');
    } catch {
      Atomics.add(cells, LOST, tick - after);
    }
    recorded = tick;
    Atomics.store(cells, TICK, tick);
    return tick;
  };
}
