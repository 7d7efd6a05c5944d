import { Ledger } from './ledger.js';
import { Random } from './random.js';
import { ReadingPlan, WINDOW } from './reading_plan.js';
import { IDLE, SKIPPED_FRAMES } from './seen.js';
import { COUNTDOWN } from '../hook/flags.js';
import { ProbePoint } from '../../wasm/probe_point.js';

/** @import { Capture } from './capture.js' */

/** Frames between a function and `stackError`: `look` and the sampler that asks for it. */
const SKIP = SKIPPED_FRAMES + 2;

/** Frames between a probed function and `stackError`: a closure, who calls it, `#learn`, `#check`, and the hook's `e`, `l` or `r`. */
const SKIP_OF_CHECK = SKIPPED_FRAMES + 5;

/** Of so many looks, counted as often as the intervals beside them, one tells where it was, in the mean: a look at the stack is dear. */
const LOOKS_PER_TOLD = 2e4;

/** Ticks of credit after which a place is known by itself, and not as all others are. */
const PRIOR = 24;

/** What takes more than so many times as long as anything before it at its place counts no more than that, until it happens again: it may have been a pause of the machine or of the engine. */
const BELIEVED = 2;

/** Places that are remembered. */
const MAX_PLACES = 4096;

/**
 * @typedef {import('./seen.js').Seen} Seen
 * @typedef {[credited: number, looks: number]} Sum ticks, with looking's own time in them; and some unit
 * @typedef {[...Sum, longest: number, doubted: number]} Place ms; and ticks that what took long would have, too
 * @typedef {Pick<typeof import('../hook/hook.js'), 'armHookFast' | 'releaseHook'> & Pick<typeof import('./stack_text.js'), 'stackError' | 'textOf'> &
 *   Pick<typeof import('../../wasm/clock.js'), 'timeNow'>} Shared what polyprof.js has, and need not be loaded twice
 */

/** That of polyprof.js. @type {Shared['timeNow']} */
let timeNow;

/** Further rounds of 256, of a byte from 0 to 0, that the hook is to count down until the next look. A variable of the module, since all checks that call read it: a private field is dearer. */
let rounds = 0;

/** So often a task of ours tells idle time from the page's. */
const ROOT_INTERVAL_MS = 8;

/**
 * The flag probe without shared memory and worker: the flag stays raised, and the checks themselves look at the clock.
 *
 * In code of many small calls, reading the clock at each check would cost more than the page's own work, and tell more than a session has samples for. There `ReadingPlan` skips most checks;
 * which ones is decided in advance, so it does not depend on what they would see. If the clock has advanced between two neighbouring checks that both read it, the time that
 * passed belongs to what ran between them; and if only one such pair in n is measured, it counts n times. This is done for each step of the clock, not only for the
 * ticks of a session: the more steps, the more reliable the profile. Of a tick itself we mostly know only that it happened. It is shared among what was seen near
 * it, in proportion to what each stands for (`Ledger`). Charging the tick to whatever is found next instead would favour functions with many checks over functions that run long.
 *
 * @implements {Capture}
 */
export default class SelfTimedCapture {
  #hook;
  #core;
  #attribution;
  #shared;
  #ledger;
  #plan;
  /** Functions to be entered until the window ends; 0 or less: it ends with the next check. */
  #toEnter = WINDOW;
  /** Looks until one tells where it was; 0 or less: this one does. */
  #untold = LOOKS_PER_TOLD;
  /** Of so many intervals between checks, the one from the last look to the next stands for all; 0: these are no neighbours, only enters are counted between them. */
  #odds = 1;
  /** At the last look. */
  #clock = 0;
  /** Ticks up to this one are in the ledger. */
  #seen = 0;
  /** Clock at the next tick that a session wants. */
  #due = Infinity;
  #looking = false;
  /** Ticks that a look at the stack must at least stand for: a look is expensive, and one for each tick of a session is enough. */
  #unit = 1;
  /** Looks with credit. */
  #credited = 0;
  #random = new Random();
  /** What passed so far where it was not located, ms. */
  #passed = 0;
  /** What was credited for that so far, without looking's own time as it was reckoned each time, ticks. */
  #net = 0;
  /** Of all places; no divisor is 0. @type {Sum} */
  #all = [1, 1];
  /** @type {Map<string, Place>} */
  #places = new Map();
  /** While the hook is armed. @type {ReturnType<typeof setInterval> | undefined} */
  #timer;
  /** There is no worker. */
  unwoken = 0;

  /**
   * @param {import('../hook/hook.js').Hook} hook
   * @param {import('../../wasm/core.js').Core} core
   * @param {import('../sampling/attribution.js').Attribution} attribution
   * @param {Shared} shared
   */
  constructor(hook, core, attribution, shared) {
    ({ timeNow } = shared);
    this.#shared = shared;
    this.#plan = new ReadingPlan(timeNow());
    this.#hook = hook;
    this.#core = core;
    this.#attribution = attribution;
    this.#ledger = new Ledger((look) => attribution.add(look));
  }

  /** Nothing: while no session is open, probes are to cost what they cost without. */
  arm() {}

  /** From now on. @param {number} now Blocks, not expressions, as in `FlagCapture`. */
  #arm(now) {
    this.#clock = now;
    this.#seen = this.#core.tickAt(now);
    const check = (/** @type {number} */ point) => () => {
      this.#check(point);
    };
    this.#hook.f[0] = 1;
    this.#shared.armHookFast(this.#hook, {
      e: check(ProbePoint.ENTER),
      l: check(ProbePoint.LEAVE),
      r: check(ProbePoint.RESUME),
    });
    this.#expect(1, 1);
    this.#timer = setInterval(() => this.#lookAside(IDLE), ROOT_INTERVAL_MS);
  }

  disarm() {
    // Another sampler may be.
    if (!this.#timer) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#shared.releaseHook(this.#hook);
  }

  pause() {
    this.#lookAside(IDLE);
    this.#attribution.lost += this.#ledger.settle();
    this.disarm();
  }

  /** Nothing: it is followed by `replan`. */
  resume() {}

  replan() {
    const now = timeNow();
    const interval = this.#core.longestWaitTicks();
    if (interval === 0) return this.pause();
    if (!this.#timer) this.#arm(now);
    this.#due = now + this.#core.msUntilNextTick(now);
    this.#unit = interval;
  }

  /** Nothing: each look is recorded, or in the ledger. */
  settle() {}

  /**
   * Settles all ticks up to now.
   * @param {number} point
   * @param {number} furtherFrames between what runs and this one's caller
   */
  look(point, furtherFrames) {
    const { stackError, textOf } = this.#shared;
    this.#lookAside({ text: textOf(stackError()), point, skip: SKIP + furtherFrames });
    this.#attribution.lost += this.#ledger.settle();
  }

  get unlocated() {
    return Math.max(this.#ledger.unlocated - this.#credited, 0);
  }

  /**
   * Which check looks next.
   * @param {number} enters 1: any; else the enter after which so many have come
   * @param {number} odds of what runs until then; 0: nothing happens on leave
   */
  #expect(enters, odds) {
    const { f } = this.#hook;
    f[1] = f[2] = f[3] = odds && 1;
    f[COUNTDOWN] = enters;
    rounds = (enters - 1) >> 8;
    this.#odds = odds;
  }

  /**
   * The hot path: no closure and no `try`, which are what is slow here in JSC; so nothing of what page code may have patched, either.
   * @param {number} point
   */
  #check(point) {
    if (rounds-- > 0) return;
    const odds = this.#odds;
    this.#expect(1, this.#plan.odds);
    if (this.#looking) return;
    const now = timeNow();
    // The enter that ends a gap is none of the window's.
    if (odds > 0 && point !== ProbePoint.LEAVE) this.#toEnter--;
    if ((this.#untold -= odds) <= 0 || this.#toEnter <= 0 || now !== this.#clock)
      this.#learn(point, now, odds);
  }

  /**
   * Runs inside the page's own calls: nothing may escape.
   * @param {number} point
   * @param {number} now
   * @param {number} odds of the pair of neighbours that ends here
   */
  #learn(point, now, odds) {
    this.#looking = true;
    try {
      const { stackError, textOf } = this.#shared;
      const seen = () => ({ text: textOf(stackError()), point, skip: SKIP_OF_CHECK });
      this.#credit(odds > 1 ? now - this.#clock : 0, odds, Number(this.#untold <= 0), seen);
      this.#pass(now, odds === 1 && seen);
      if (this.#toEnter <= 0) this.#endWindow();
      // All that took time too, and it is nobody's.
      if (odds !== 1) this.#pass(timeNow(), false);
    } catch {
      this.#attribution.lost++;
    } finally {
      this.#looking = false;
    }
  }

  #endWindow() {
    const gap = this.#plan.next(this.#clock, this.#unit);
    this.#toEnter = WINDOW;
    this.#expect(gap || 1, gap ? 0 : this.#plan.odds);
  }

  /** Looks where no check is. @param {Seen} seen what ran since the last check */
  #lookAside(seen) {
    const now = timeNow();
    this.#pass(now, this.#odds > 0 && (() => seen));
    // What runs first is located, and nothing more: it would be looked at in each task.
    this.#toEnter = 0;
    this.#expect(1, 1);
  }

  /** @param {number} now @param {(() => Seen) | false} see what ran at the ticks that became due, if that is known */
  #pass(now, see) {
    if (!see) this.#passed += now - this.#clock;
    this.#clock = now;
    if (now < this.#due) return;
    const after = this.#seen;
    const last = this.#core.tickAt(now);
    this.#due = now + this.#core.msUntilNextTick(now);
    if (last <= after) return;
    this.#ledger.add(after, last, see && see());
    this.#seen = last;
  }

  /**
   * What ran since the last look, which was at the check before.
   *
   * Looking itself takes time, so code with many looks would seem to run longer than it does. The total is known: it is how much more was credited than
   * has passed. Each look takes an equal part of it, so each place loses in proportion to the looks that it had. How many these are is estimated from the few looks that are
   * recorded; a place with too few of them is treated like the average. Together, all places get no more than the time that passed.
   *
   * What took unusually long at its place is doubted, beyond `BELIEVED`, and credited when something as long happens there again.
   * @param {number} ms that it took @param {number} odds of so many, it stands for all @param {number} told 1: it tells where looks are @param {() => Seen} see
   */
  #credit(ms, odds, told, see) {
    if (told) this.#untold = this.#random.wait(LOOKS_PER_TOLD);
    let ticks = this.#unit * this.#random.whole((ms * odds) / this.#unit);
    if (ticks + told === 0) return;
    const seen = see();
    // The two innermost functions, one of which ran. Not all of them: credit and looks are to meet, also where both are rare.
    const key =
      seen.point +
      seen.text
        .split('\n', seen.skip + 2)
        .slice(seen.skip)
        .join();
    /** @type {Place} */
    const place = this.#places.get(key) ?? [0, 0, 0, 0];
    if (this.#places.size > MAX_PLACES) this.#places.clear();
    this.#places.set(key, place);
    const longest = place[2] || ms;
    place[2] = Math.max(longest, ms);
    place[3] += ticks;
    if (ms > BELIEVED * longest) ticks *= (BELIEVED * longest) / ms;
    else if (BELIEVED * ms >= longest) ticks = place[3];
    place[3] -= ticks;
    const all = this.#all;
    for (const each of [place, all]) {
      each[0] += ticks;
      each[1] += told;
    }
    const passed = this.#passed;
    const own = (Math.max(all[0] - passed, 0) * (place[1] / all[1] + PRIOR / all[0])) / (place[0] + PRIOR);
    const net = ticks * Math.max(1 - own, 0);
    this.#net += net;
    const credit = this.#random.whole((net * (passed + PRIOR)) / (this.#net + PRIOR));
    if (credit === 0) return;
    this.#credited++;
    this.#ledger.credit(seen, credit);
  }
}
