import { IDLE } from './attribution.js';
import { Flags } from './flags.js';
import { releaseHook } from './hook.js';
import { Ledger } from './ledger.js';
import { ReadingPlan } from './reading_plan.js';
import { SKIPPED_FRAMES, stackText } from './stack_text.js';
import { ProbePoint } from '../wasm/core.js';

/** Frames between a probed function and `stackText`: `#check` and the hook's `e`, `l` or `r`. */
const SKIP = SKIPPED_FRAMES + 2;

/** Places that own ticks are remembered of. */
const MAX_DEBTS = 1024;

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
  /** One cell: checks until the next one that looks. A typed array, since JITs are at their best with it. */
  #left = new Int32Array([1]);
  /** The same, as it was planned. */
  #planned = 1;
  /** One in so many of the intervals like that before the next check that looks is located; 0: that one is not. */
  #odds = 1;
  /** Ticks up to this one are in the ledger. */
  #seen;
  /** Clock at the next tick that a session wants. */
  #due = Infinity;
  #looking = false;
  /** Own ticks not yet paid back, in odds, by place. @type {Map<string, number>} */
  #debts = new Map();
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
    const left = this.#left;
    this.#hook.e = () => {
      if (--left[0] <= 0) this.#check(ProbePoint.ENTER);
    };
    this.#hook.l = () => {
      if (--left[0] <= 0) this.#check(ProbePoint.LEAVE);
    };
    this.#hook.r = () => {
      if (--left[0] <= 0) this.#check(ProbePoint.RESUME);
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
      const odds = this.#odds;
      if (now >= this.#due) {
        this.#pass(now, odds > 0 ? { text: stackText(), point, skip: SKIP } : undefined);
      }
      const nextOdds = this.#plan.odds;
      const gap = this.#plan.next(now);
      this.#expect(gap + 1, gap === 0 ? nextOdds : 0);
      if (odds > 1 && performance.now() >= this.#due)
        this.#ownTick({ text: stackText(), point, skip: SKIP }, odds);
    } catch {
      this.#attribution.lost++;
    } finally {
      this.#looking = false;
    }
  }

  /** Looks where no check is. @param {Seen} seen what ran since the last check */
  #lookAside(seen) {
    const now = performance.now();
    const unlooked = this.#planned - this.#left[0];
    this.#odds = 1;
    if (now >= this.#due) this.#pass(now, unlooked === 0 ? seen : undefined);
    this.#plan.endGap(now, Math.max(this.#left[0] - 1, 0));
    this.#expect(1, 1);
  }

  /** The next check that looks. @param {number} checks @param {number} odds */
  #expect(checks, odds) {
    this.#left[0] = checks;
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
    const odds = seen ? this.#odds - this.#paid(seen) : 0;
    if (seen && odds >= 1) this.#ledger.addLocated({ ...seen, after, last }, odds);
    else this.#ledger.addUnlocated(after, last);
  }

  /**
   * A tick between two looks at the clock with nothing in between. As many ticks as these are found by checks that are next to each other
   * only because looking takes time; each takes one of them away again, or what is called often would seem to run long.
   * @param {Seen} seen @param {number} odds
   */
  #ownTick(seen, odds) {
    if (this.#debts.size >= MAX_DEBTS) this.#debts.clear();
    const where = placeOf(seen);
    this.#debts.set(where, (this.#debts.get(where) ?? 0) + odds);
    this.#pass(performance.now(), undefined);
  }

  /** @param {Seen} seen @returns {number} odds that own ticks take away from this one */
  #paid(seen) {
    if (this.#odds === 1) return 0;
    const where = placeOf(seen);
    const debt = this.#debts.get(where) ?? 0;
    const paid = Math.min(debt, this.#odds);
    if (paid === debt) this.#debts.delete(where);
    else this.#debts.set(where, debt - paid);
    return paid;
  }
}

/** The first lines say where the text was taken. @param {Seen} seen */
function placeOf({ text, point, skip }) {
  let start = 0;
  for (let line = 0; line < skip; line++) start = text.indexOf('\n', start) + 1;
  return point + text.slice(start);
}
