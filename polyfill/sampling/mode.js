import { notSupported } from '../hook/hook.js';
import { settings } from '../settings.js';

/**
 * Who samples: `flag`, the page when the worker raised the flag; `self-timed`, the page by its own clock; `shadow`, the worker.
 * @typedef {'flag' | 'self-timed' | 'shadow'} Mode
 */

/** @param {import('../hook/hook.js').ScriptEntry | undefined} script what page code may have put into the list, too @returns {boolean} */
export const hasShadowProbes = (script) => script?.[3] !== undefined;

/**
 * What the scripts' probes and the page allow. Scripts with flag probes run in any page, those with shadow probes are sampled wherever
 * memory is shared; in a page that has both kinds, only the latter are seen there. Where no script is yet, the first one that comes decides.
 *
 * @param {import('../hook/hook.js').Hook} hook
 * @returns {Mode}
 * @throws {DOMException} NotSupportedError, when nothing of this page can be sampled
 */
export function modeOf(hook) {
  const sharesMemory = globalThis.crossOriginIsolated && globalThis.SharedArrayBuffer;
  if (sharesMemory && settings.worker) return hook.m && hook.s.some(hasShadowProbes) ? 'shadow' : 'flag';
  if (hook.s[0] && hook.s.every(hasShadowProbes)) {
    const need = sharesMemory
      ? 'install({ worker: true })'
      : 'Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: require-corp';
    throw notSupported(`shadow probes need ${need}; or instrument with --probe flag`);
  }
  return 'self-timed';
}
