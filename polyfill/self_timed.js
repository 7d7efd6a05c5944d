import { Ledger } from './ledger.js';
import { Random } from './random.js';
import { ReadingPlan, WINDOW } from './reading_plan.js';
import { IDLE, SKIPPED_FRAMES } from './seen.js';
import { timeNow } from '../wasm/clock.js';
import { ProbePoint } from '../wasm/core.js';

/** Frames between a function and `stackError`: `look` and the sampler that asks for it. */
const SKIP = SKIPPED_FRAMES + 2;

/** Frames between a probed function and `stackError`: a closure, who calls it, `#learn`, `#check`, and the hook's `e`, `l` or `r`. */
const SKIP_OF_CHECK = SKIPPED_FRAMES + 5;

/** Ticks of own time that a look at the stack stands for, besides the unit. */
const MORE_OWN_TICKS = 3;

/** Places that own time is remembered of. */
const MAX_DEBTS = 1024;

/**
 * @typedef {import('./seen.js').Seen} Seen
 * @typedef {Pick<typeof import('./hook.js'), 'armHookFast' | 'releaseHook'> & Pick<typeof import('./stack_text.js'), 'stackError' | 'textOf'>} Shared
 *   what polyprof.js has, and need not be loaded twice
 */

/** So often a task of ours tells idle time from the page's. */
const ROOT_INTERVAL_MS = 8;

/**
 * The flag probe without shared memory and worker: the flag stays raised, and the checks themselves look at the clock.
 *
 * To look at each check would cost more than the page's own work in code of many small calls; there `ReadingPlan` leaves most of them
 * out, and which ones was decided before, whatever they would see. So when the clock goes on between two neighbours that both looked, what ran between
 * them stands for that time as often as the chance was small that both did. Each step of the clock is such an event, a tick of a session
 * or not: the more there are, the surer is the profile. Of a tick itself it is mostly known only that it happened; it goes to what was seen near
 * it, as much to each as it stands for (`Ledger`). To charge whoever is found next would favour what has many checks over what runs long.
 */
export class SelfTimed {
  #hook;
  #core;
  #attribution;
  #shared;
  #ledger;
  #plan = new ReadingPlan(timeNow());
  /** One cell: checks until the next one that looks. A typed array, since JITs are at their best with it. */
  #left = new Int32Array([1]);
  /** The same, as it was planned. */
  #planned = 1;
  /** Looks until the window ends. */
  #looksLeft = WINDOW;
  /** Of so many pairs of neighbours, one is in a window like this one. */
  #oddsInside = 1;
  /** The same, of the last look and the next one; 0: they are not neighbours. */
  #odds = 1;
  /** At the last look. */
  #clock = timeNow();
  /** Ticks up to this one are in the ledger. */
  #seen;
  /** Clock at the next tick that a session wants. */
  #due = Infinity;
  #looking = false;
  /** Ticks that a look at the stack stands for at the least: looking is dear, and one for each tick of a session is enough. */
  #unit = 1;
  /** Looks with credit. */
  #credited = 0;
  #random = new Random();
  /** By how much what was credited so far, ms, is more than what passed. Begins with a guess: a few seconds alone are too uncertain ... */
  #ownTime = 5000;
  /** ... for so many pairs of neighbours. */
  #pairs = 3e7;
  /** Own time not yet paid back, in ticks, by place. @type {Map<string, number>} */
  #debts = new Map();
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #timer;
  /** As in `Capture`. */
  unwoken = 0;

  /**
   * @param {import('./hook.js').Hook} hook
   * @param {import('../wasm/core.js').Core} core
   * @param {import('./attribution.js').Attribution} attribution
   * @param {Shared} shared
   */
  constructor(hook, core, attribution, shared) {
    this.#shared = shared;
    this.#hook = hook;
    this.#core = core;
    this.#attribution = attribution;
    this.#ledger = new Ledger((look) => attribution.add(look));
    this.#seen = core.tickAt(timeNow());
  }

  /** Arms the probes. Blocks, not expressions, as in `Capture`. */
  arm() {
    const left = this.#left;
    this.#shared.armHookFast(this.#hook, {
      e: () => {
        if (--left[0] <= 0) this.#check(ProbePoint.ENTER);
      },
      l: () => {
        if (--left[0] <= 0) this.#check(ProbePoint.LEAVE);
      },
      r: () => {
        if (--left[0] <= 0) this.#check(ProbePoint.RESUME);
      },
    });
    // Not those of quiet functions: a call costs too much there.
    const flags = this.#hook.f;
    flags[0] = flags[1] = flags[2] = flags[3] = 1;
    this.#timer = setInterval(() => this.#lookAside(IDLE), ROOT_INTERVAL_MS);
  }

  disarm() {
    clearInterval(this.#timer);
    this.#shared.releaseHook(this.#hook);
  }

  /** From the root of a task of ours, as `resume`. */
  pause() {
    this.#lookAside(IDLE);
    this.#attribution.lost += this.#ledger.settle();
    this.disarm();
  }

  resume() {
    this.#clock = timeNow();
    this.#seen = this.#core.tickAt(this.#clock);
    this.arm();
  }

  /** The set of sessions changed. */
  replan() {
    const now = timeNow();
    const interval = this.#core.longestWaitTicks();
    this.#due = interval === 0 ? Infinity : now + this.#core.msUntilNextTick(now);
    this.#unit = Math.max(interval, 1);
  }

  /** As in `Capture`; nothing is unread here. */
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

  /** Ticks so far at which or near which nothing was seen. */
  get unlocated() {
    return Math.max(this.#ledger.unlocated - this.#credited, 0);
  }

  /** The hot path: no closure and no `try`, which are what is slow here in JSC. @param {number} point */
  #check(point) {
    this.#left[0] = 1;
    this.#planned = 1;
    if (this.#looking) return;
    const now = timeNow();
    const odds = this.#odds;
    const isLast = --this.#looksLeft <= 0;
    this.#odds = this.#oddsInside;
    if (now !== this.#clock || isLast) this.#learn(point, now, odds, isLast);
  }

  /**
   * Runs inside the page's own calls: nothing may escape.
   * @param {number} point
   * @param {number} now
   * @param {number} odds of the pair of neighbours that ends here
   * @param {boolean} isLast look of its window
   */
  #learn(point, now, odds, isLast) {
    this.#looking = true;
    try {
      const { stackError, textOf } = this.#shared;
      const seen = () => ({ text: textOf(stackError()), point, skip: SKIP_OF_CHECK });
      const ms = now - this.#clock;
      this.#ownTime += ms * odds - ms;
      if (odds > 1) this.#credit(ms * odds, seen);
      this.#pass(now, odds === 1 ? seen : undefined);
      if (isLast) {
        if (this.#oddsInside > 1) this.#repay(this.#oddsInside * (WINDOW - 1), seen);
        this.#endWindow();
      }
      // All that took time too, and it is nobody's.
      if (odds !== 1) this.#pass(timeNow(), undefined);
    } catch {
      this.#attribution.lost++;
    } finally {
      this.#looking = false;
    }
  }

  #endWindow() {
    const gap = this.#plan.next(this.#clock);
    this.#looksLeft = WINDOW;
    this.#oddsInside = this.#plan.odds;
    this.#expect(gap + 1, this.#oddsInside > 1 ? 0 : 1);
  }

  /** Looks where no check is. @param {Seen} seen what ran since the last check */
  #lookAside(seen) {
    const now = timeNow();
    const unlooked = this.#planned - this.#left[0];
    this.#pass(now, unlooked === 0 ? () => seen : undefined);
    this.#plan.endGap(now, Math.max(this.#left[0] - 1, 0));
    this.#expect(1, 1);
  }

  /** The next check that looks. @param {number} checks @param {number} odds */
  #expect(checks, odds) {
    this.#left[0] = checks;
    this.#planned = checks;
    this.#odds = odds;
  }

  /** @param {number} now @param {(() => Seen) | undefined} see what ran at the ticks that became due, if that is known */
  #pass(now, see) {
    this.#clock = now;
    if (now < this.#due) return;
    const after = this.#seen;
    const last = this.#core.tickAt(now);
    this.#due = now + this.#core.msUntilNextTick(now);
    if (last <= after) return;
    this.#seen = last;
    if (see) this.#ledger.addLocated({ ...see(), after, last });
    else this.#ledger.addUnlocated(after, last);
  }

  /** What ran since the last look, which was at the check before. @param {number} ms that it stands for @param {() => Seen} see */
  #credit(ms, see) {
    const ticks = this.#share(ms, this.#unit);
    if (ticks === 0) return;
    const seen = see();
    const place = placeOf(seen);
    const credit = ticks - (this.#debts.get(place) ?? 0);
    if (credit < ticks) this.#debts.set(place, Math.max(-credit, 0));
    if (credit <= 0) return;
    this.#credited++;
    this.#ledger.credit(seen, credit);
  }

  /**
   * Looking takes time too, and the more looks a place has, the longer it would seem to run. How much that is in all is known: what was credited
   * is more than what passed. Each look has its part of it, and that is taken away again where windows end, wherever that is.
   * @param {number} pairs that this window's stand for @param {() => Seen} see
   */
  #repay(pairs, see) {
    this.#pairs += pairs;
    const ticks = this.#share(Math.max(this.#ownTime / this.#pairs, 0) * pairs, this.#unit + MORE_OWN_TICKS);
    if (ticks === 0) return;
    if (this.#debts.size >= MAX_DEBTS) this.#debts.clear();
    const place = placeOf(see());
    this.#debts.set(place, (this.#debts.get(place) ?? 0) + ticks);
  }

  /** @param {number} ms @param {number} unit @returns {number} ticks that they stand for: none or some units, in the mean as many as it is */
  #share(ms, unit) {
    return unit * this.#random.whole(ms / unit);
  }
}

/**
 * The two innermost functions, one of which ran. Not all of them: credit and own time are to meet, also where both are rare.
 * @param {Seen} seen
 */
function placeOf({ text, point, skip }) {
  let start = 0;
  for (let line = 0; line < skip; line++) start = text.indexOf('\n', start) + 1;
  return point + text.slice(start, text.indexOf('\n', text.indexOf('\n', start) + 1));
}
