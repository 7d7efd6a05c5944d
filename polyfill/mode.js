import { notSupported } from './hook.js';

/**
 * Who samples: `flag`, the page when the worker raised the flag; `self-timed`, the page by its own clock; `shadow`, the worker.
 * @typedef {'flag' | 'self-timed' | 'shadow'} Mode
 */

/** Set by `install`. */
export const allowed = {
  worker: true,
  jitter: true,
  idleFrame: false,
  pauseWhenHidden: true,
  unknown: 'elide',
  policy: /** @type {import('./policy.js').Policy} */ ('self'),
};

/**
 * What the scripts' probes and the page allow. Scripts with flag probes run in any page, those with shadow probes are sampled wherever
 * memory is shared; in a page that has both kinds, only the latter are seen there.
 *
 * @param {import('./hook.js').Hook} hook
 * @returns {Mode}
 * @throws {DOMException} NotSupportedError, when nothing of this page can be sampled
 */
export function modeOf(hook) {
  const sharesMemory = globalThis.crossOriginIsolated && typeof SharedArrayBuffer === 'function';
  if (sharesMemory && allowed.worker) return hook.d && hook.m ? 'shadow' : 'flag';
  const hasShadowProbes = (/** @type {import('./hook.js').ScriptEntry} */ entry) => entry[3] !== undefined;
  if (hook.s.length > 0 && hook.s.every(hasShadowProbes)) {
    throw notSupported(
      "this page's scripts have shadow probes, which need shared memory and a worker: " +
        'serve it with Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: require-corp, or instrument with --probe flag',
    );
  }
  return 'self-timed';
}
