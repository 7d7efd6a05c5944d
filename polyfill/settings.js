import { isSpiderMonkey } from './stack_text.js';

/** Defaults of those options of `install()` that stay in force until its next call. */
export const SETTING_DEFAULTS = {
  // Firefox 153 never returns from some calls of `new Worker()` in a worker, whoever makes them (bench/nested_workers.js): a worker that profiles itself would hang.
  // Shared workers have none to start.
  worker: !('WorkerGlobalScope' in globalThis) || ('Worker' in globalThis && !isSpiderMonkey),
  jitter: true,
  idleFrame: false,
  pauseWhenHidden: true,
  unknown: 'elide',
  policy: /** @type {import('./policy.js').Policy} */ ('self'),
};

/** What holds now, by `install()`. */
export const settings = { ...SETTING_DEFAULTS };
