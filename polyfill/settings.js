import { isSpiderMonkey } from './capture/stack_text.js';

/** What holds now: options of `install()`, as they were given last, and what holds without. */
export const settings = {
  force: /** @type {boolean | 'denied'} */ (false),
  // Firefox 153 never returns from some calls of `new Worker()` in a worker, whoever makes them (bench/engines/nested_workers.js): a worker that profiles itself would hang.
  // Shared workers have none to start.
  worker: !('WorkerGlobalScope' in globalThis) || ('Worker' in globalThis && !isSpiderMonkey),
  jitter: true,
  idleFrame: false,
  pauseWhenHidden: true,
  unknown: /** @type {'elide' | 'mark' | 'show'} */ ('elide'),
  policy: /** @type {import('./interface/policy.js').Policy} */ ('self'),
};
