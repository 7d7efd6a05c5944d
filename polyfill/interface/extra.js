import { base } from '../loading/base.js';
import { draftSessionOf } from './draft_profiler.js';
import { startWorker } from '../loading/load.js';
import { loadExtra } from '../loading/load_extra.js';
import { settings } from '../settings.js';
import { checkPolicy } from './policy.js';
import { sessionOf } from './profiler.js';

/**
 * When the page is hidden for good or put into the back/forward cache, ends the profiler and sends its trace.
 *
 * @param {import('./profiler.js').Profiler | import('./draft_profiler.js').DraftProfiler} profiler
 * @param {string | URL | import('../extra/send_on_hide.js').OnTrace} target
 * @param {{gzip?: boolean, whenHidden?: boolean, whenLeaving?: boolean}} [options]
 * @returns {(() => void) & {ready: Promise<unknown>}} takes it back; `ready`: it is in force
 * @throws {TypeError} it is no profiler of ours
 */
export function sendOnHide(profiler, target, options) {
  let session = sessionOf(profiler) ?? draftSessionOf(profiler);
  if (!session?.hide) {
    throw new TypeError('no profiler of ours: install({ force: true })');
  }
  const undo = loadExtra().then((extra) =>
    extra.sendOnHide(() => session?.hide(), target, options, settings.idleFrame),
  );
  // Who wants to know that it failed asks `ready`.
  const undone = undo.catch(() => () => {});
  const takeBack = () => {
    // At once, also if it is not in force yet.
    session = undefined;
    undone.then((call) => call());
  };
  return Object.assign(takeBack, { ready: undo });
}

/**
 * Sends a profile whenever the page's thread is stuck.
 *
 * @param {import('../extra/watch.js').WatchOptions} options
 * @returns {Promise<{stop(): Promise<void>}>} once it watches; rejects with NotSupportedError without shadow probes, SecurityError where the policy forbids it
 */
export async function watch(options) {
  checkPolicy(settings.policy, 'SecurityError');
  return (await loadExtra()).watch(options, /** @type {URL} */ (base.url), startWorker);
}
