import { Sampler } from './sampler.js';

/** As SessionGroup in runtime/session_group.h. */
const MAX_SESSIONS = 32;

/** @typedef {{sampler: Promise<Sampler>, users: number, ready?: Sampler}} Shared `ready`: once it is there */

/** @type {Shared | undefined} */
let running;
/** @type {Promise<unknown>} */
let ended = Promise.resolve();

/**
 * @returns {Shared} the realm's one sampler; give it back with `releaseSampler`, also when it rejects
 * @throws {DOMException} QuotaExceededError
 */
export function acquireSampler() {
  if (!running) {
    /** @type {Shared} */
    const shared = {
      users: 0,
      sampler: ended.then(async () => (shared.ready = await Sampler.start(() => unshare(shared)))),
    };
    running = shared;
  }
  if (running.users >= MAX_SESSIONS) {
    throw new DOMException(`polyprof: ${MAX_SESSIONS} profilers sample: stop() one`, 'QuotaExceededError');
  }
  running.users++;
  return running;
}

/** @param {Shared} shared */
export function releaseSampler(shared) {
  if (--shared.users > 0) return;
  unshare(shared);
  const stopped = shared.sampler.then((sampler) => sampler.stop()).catch(() => {});
  ended = ended.then(() => stopped);
}

/** @param {Shared} shared */
function unshare(shared) {
  if (running === shared) running = undefined;
}

/**
 * For tests: all profilers of this realm that sample take a sample of what runs now. "Force Sample" of the specification, which is a command of
 * WebDriver's.
 */
export function forceSample() {
  running?.ready?.force();
}
