import { cellsOf, LATE, LIFE, LOST, SEEN, STOP, TICK, WAKE } from '../cells.js';
import { Flags } from '../flags.js';
import { CoreError } from '../../wasm/boundary.js';
import { CoreSeat } from '../../wasm/core_seat.js';

/**
 * The worker's shell: the clock and the waiting around the core's schedule. It never returns to its event loop while a session
 * runs, so all it hears comes through the cells.
 */

/**
 * @typedef {object} Start
 * @property {WebAssembly.Module} module
 * @property {WebAssembly.Memory} memory
 * @property {{pointer: number, stackTop: number}} seat
 * @property {Int8Array} flags `hook.f`
 * @property {number} timeOrigin the page's; ms since the epoch
 * @property {number} life our number, see cells.js
 * @property {'flag' | 'shadow'} mode who samples: the page, told by its flags, or we
 */

onmessage = async ({ data }) => {
  const { module, memory, seat, flags, timeOrigin, mode, life } = /** @type {Start} */ (data);
  const cells = cellsOf(memory);
  let core;
  try {
    core = await CoreSeat.attach(module, memory, seat);
  } catch (error) {
    postMessage(String(error));
    return;
  }
  postMessage('ready');
  const offset = performance.timeOrigin - timeOrigin;
  const onTick = mode === 'shadow' ? sample(core, cells) : raiseFlags(cells, new Flags(flags));
  tickUntilStopped(core, cells, life, () => performance.now() + offset, onTick);
  close();
};

/**
 * @param {CoreSeat} core
 * @param {Int32Array} cells
 * @param {number} life
 * @param {() => number} clock ms since the page's time origin
 * @param {(after: number, tick: number, late: number) => void} onTick ticks in (after, tick] are due; of `late` of them we know late
 */
function tickUntilStopped(core, cells, life, clock, onTick) {
  let last = 0;
  for (;;) {
    if (Atomics.load(cells, LIFE) !== life) return;
    const plan = Atomics.load(cells, WAKE);
    Atomics.store(cells, SEEN, plan);
    if (plan === STOP) return;
    if (core.longestWaitTicks() === 0) {
      Atomics.wait(cells, WAKE, plan);
      last = core.tickAt(clock());
      Atomics.store(cells, TICK, last);
      continue;
    }
    const tick = core.tickAt(clock());
    if (tick > last) {
      onTick(last, tick, Math.max(tick - core.nextTick(last), 0));
      last = tick;
    }
    Atomics.wait(cells, WAKE, plan, core.msUntilNextTick(clock()));
  }
}

/** Flag probes: tells the page. @param {Int32Array} cells @param {Flags} flags @returns {Parameters<typeof tickUntilStopped>[4]} */
function raiseFlags(cells, flags) {
  return (after, tick, late) => {
    if (late > 0 && flags.areDown()) Atomics.add(cells, LATE, late);
    Atomics.store(cells, TICK, tick);
    flags.raise();
  };
}

/** No busy machine keeps us waiting that long: it slept, or the browser froze the page. What ran meanwhile, if anything, nobody knows. */
const ASLEEP_TICKS = 1000;

/** Stack id of a thread that runs nothing. */
const IDLE = 0;

/**
 * How many of the ticks that we slept through belong to what ran before them? Half; but it is a busy page that keeps us waiting, for a
 * processor, so between idle and busy they are all the busy one's.
 * @param {number} late @param {number} previous stack before @param {number} stack now
 */
function ofPrevious(late, previous, stack) {
  if ((previous === IDLE) === (stack === IDLE)) return late >> 1;
  return stack === IDLE ? late : 0;
}

/**
 * Shadow probes: samples by itself.
 * @param {CoreSeat} core
 * @param {Int32Array} cells
 * @returns {Parameters<typeof tickUntilStopped>[4]}
 */
function sample(core, cells) {
  let previous = IDLE;
  return (before, tick, slept) => {
    const isAsleep = slept > ASLEEP_TICKS;
    const after = isAsleep ? before + slept : before;
    const late = isAsleep ? 0 : slept;
    if (isAsleep) Atomics.add(cells, LOST, slept);
    try {
      const stack = core.stackOfShadow();
      if (stack < 0) throw new CoreError('stackOfShadow', -stack);
      const middle = after + ofPrevious(late, previous, stack);
      let full = middle > after ? core.record(after, middle, previous) : 0;
      full += core.record(middle, tick, stack);
      if (late > 0) Atomics.add(cells, LATE, late);
      previous = stack;
      if (full > 0) postMessage('full');
    } catch {
      Atomics.add(cells, LOST, tick - after);
    }
    Atomics.store(cells, TICK, tick);
  };
}
