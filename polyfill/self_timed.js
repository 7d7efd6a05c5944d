import { IDLE } from './attribution.js';
import { Flags } from './flags.js';
import { releaseHook } from './hook.js';
import { Ledger } from './ledger.js';
import { ReadingPlan } from './reading_plan.js';
import { SKIPPED_FRAMES, stackText } from './stack_text.js';
import { ProbePoint } from '../wasm/core.js';

/** Frames between a probed function and `stackText`: `#check` and the hook's `e`, `l` or `r`. */
const SKIP = SKIPPED_FRAMES + 2;

/** @typedef {{text: string, point: number, skip: number}} Seen */

/** So often a task of ours tells idle time from the page's. */
const ROOT_INTERVAL_MS = 8;

/**
 * The flag probe without shared memory and worker: the flag stays raised, and the checks themselves look at the clock.
 *
 * To look at each check would cost more than the page's own work in code of many small calls; there `ReadingPlan` leaves most of them
 * out. A tick between two neighbours that both looked is located: what ran between them ran at the tick. Of any other it is only
 * known that it happened; to charge whoever is found next would favour what has many checks over what runs long. But which checks
 * look was decided before, whatever they would see: so located ticks are a fair choice of all ticks, and each takes as many others with
 * it as its chance of being located was small (`Ledger`).
 */
export class SelfTimed {
  #hook;
  #core;
  #attribution;
  #ledger;
  #plan = new ReadingPlan(performance.now());
  /** Checks until the next one that looks. */
  #left = 1;
  /** The same, as it was planned. */
  #planned = 1;
  /** One in so many of the intervals like that before the next check that looks is located; 0: that one is not. */
  #odds = 1;
  /** Ticks up to this one are in the ledger. */
  #seen;
  /** Clock at the next tick that a session wants. */
  #due = Infinity;
  #looking = false;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #timer;

  /**
   * @param {import('./hook.js').Hook} hook
   * @param {import('../wasm/core.js').Core} core
   * @param {import('./attribution.js').Attribution} attribution
   */
  constructor(hook, core, attribution) {
    this.#hook = hook;
    this.#core = core;
    this.#attribution = attribution;
    this.#ledger = new Ledger((look) => attribution.add(look));
    this.#seen = core.tickAt(performance.now());
  }

  /** Arms the probes. Blocks, not expressions, as in `Capture`. */
  arm() {
    this.#hook.e = () => {
      if (--this.#left <= 0) this.#check(ProbePoint.ENTER);
    };
    this.#hook.l = () => {
      if (--this.#left <= 0) this.#check(ProbePoint.LEAVE);
    };
    this.#hook.r = () => {
      if (--this.#left <= 0) this.#check(ProbePoint.RESUME);
    };
    new Flags(this.#hook.f).raise();
    this.#timer = setInterval(() => this.#lookAside(IDLE), ROOT_INTERVAL_MS);
  }

  disarm() {
    clearInterval(this.#timer);
    releaseHook(this.#hook);
  }

  /** The set of sessions changed. */
  replan() {
    const now = performance.now();
    this.#due = this.#core.longestWaitTicks() === 0 ? Infinity : now + this.#core.msUntilNextTick(now);
  }

  /**
   * Settles all ticks up to now.
   * @param {number} point
   * @param {number} furtherFrames between what runs and this one's caller
   */
  look(point, furtherFrames) {
    this.#lookAside({ text: stackText(), point, skip: SKIP + furtherFrames });
    this.#attribution.lost += this.#ledger.settle();
  }

  /** Ticks so far whose place was not seen. */
  get unlocated() {
    return this.#ledger.unlocated;
  }

  /** The hot path. Runs inside the page's own calls: nothing may escape. @param {number} point */
  #check(point) {
    if (this.#looking) return;
    this.#looking = true;
    try {
      const now = performance.now();
      if (now >= this.#due)
        this.#pass(now, this.#odds > 0 ? { text: stackText(), point, skip: SKIP } : undefined);
      const odds = this.#plan.odds;
      const gap = this.#plan.next(now);
      this.#expect(gap + 1, gap === 0 ? odds : 0);
    } catch {
      this.#attribution.lost++;
    } finally {
      this.#looking = false;
    }
  }

  /** Looks where no check is. @param {Seen} seen what ran since the last check */
  #lookAside(seen) {
    const now = performance.now();
    const unlooked = this.#planned - this.#left;
    this.#odds = 1;
    if (now >= this.#due) this.#pass(now, unlooked === 0 ? seen : undefined);
    this.#plan.endGap(now, Math.max(this.#left - 1, 0));
    this.#expect(1, 1);
  }

  /** The next check that looks. @param {number} checks @param {number} odds */
  #expect(checks, odds) {
    this.#left = checks;
    this.#planned = checks;
    this.#odds = odds;
  }

  /** @param {number} now @param {Seen | undefined} seen at the ticks that became due */
  #pass(now, seen) {
    const after = this.#seen;
    const last = this.#core.tickAt(now);
    this.#due = now + this.#core.msUntilNextTick(now);
    if (last <= after) return;
    this.#seen = last;
    if (seen) this.#ledger.addLocated({ ...seen, after, last }, this.#odds);
    else this.#ledger.addUnlocated(after, last);
  }
}
