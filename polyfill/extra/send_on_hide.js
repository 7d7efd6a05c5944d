import { gzipSync } from 'fflate';
import { withIdleFrame } from './idle_frame.js';
import { partOfTrace } from './part_of_trace.js';
import { notSupported } from '../hook/hook.js';

/** Browsers hold so many bytes for requests that outlive their page, all of them together. */
const LIMIT_BYTES = 65536;

/** A part takes more per sample than the whole, which needs each stack once. */
const FILL = 0.9;

/** @typedef {(json: Uint8Array, gzip: (bytes: Uint8Array) => Uint8Array) => void} OnTrace gets the trace, and what packs it without waiting */

/**
 * At `pagehide` there is one synchronous chance: what the browser takes now arrives, nothing that has to be waited for does. So the text
 * is compressed here and now, and what is too big for one request is cut: the newest samples go first, then older
 * ones, until the browser takes no more.
 *
 * @param {() => Uint8Array | undefined} takeTrace ends the profiler
 * @param {string | URL | OnTrace} target where to POST it, or what to call
 * @param {{gzip?: boolean, whenHidden?: boolean, whenLeaving?: boolean}} [options] `whenHidden`: already when the page is hidden, since on
 *   phones that may be the last that is heard of it; `whenLeaving`: already at `beforeunload`, though the page may stay
 * @param {boolean} [marksIdle] the trace gets a frame for idle time, as by `install({ idleFrame: true })`
 * @returns {() => void} takes it back
 * @throws {DOMException} NotSupportedError, in a worker
 */
export function sendOnHide(
  takeTrace,
  target,
  { gzip = false, whenHidden = false, whenLeaving = false } = {},
  marksIdle = false,
) {
  if (!globalThis.document) throw notSupported('sendOnHide() is of a page: call it there, not in a worker');
  const onTrace = typeof target === 'function' ? target : sender(new URL(target, document.baseURI), gzip);
  const takeBack = () => {
    removeEventListener('pagehide', onHide);
    removeEventListener('beforeunload', onHide);
    document.removeEventListener('visibilitychange', onVisibility);
  };
  const onHide = () => {
    const json = traceIfAny(takeTrace);
    if (!json) return;
    takeBack();
    const marked = marksIdle ? new TextEncoder().encode(JSON.stringify(withIdleFrame(json))) : json;
    onTrace(marked, gzipSync);
  };
  const onVisibility = () => {
    if (document.hidden) onHide();
  };
  addEventListener('pagehide', onHide);
  if (whenLeaving) addEventListener('beforeunload', onHide);
  if (whenHidden) document.addEventListener('visibilitychange', onVisibility);
  return takeBack;
}

/** @param {() => Uint8Array | undefined} takeTrace @returns {Uint8Array | undefined} also if it cannot be had, as while the worker keeps the core: a page that leaves is not to see that fail */
function traceIfAny(takeTrace) {
  try {
    return takeTrace();
  } catch {
    return undefined;
  }
}

/** @param {URL} url @param {boolean} gzip @returns {OnTrace} */
function sender(url, gzip) {
  return (json) => {
    if (send(url, json, gzip) > 0) sendParts(url, JSON.parse(new TextDecoder().decode(json)), gzip);
  };
}

/** @param {URL} url @param {import('./part_of_trace.js').Trace} trace @param {boolean} gzip */
function sendParts(url, trace, gzip) {
  const encoder = new TextEncoder();
  let to = trace.samples.length;
  let size = to;
  while (to > 0 && size >= 1) {
    size = Math.min(size, to);
    const olderSamples = to - size;
    const json = encoder.encode(JSON.stringify({ ...partOfTrace(trace, olderSamples, to), olderSamples }));
    const bytes = send(url, json, gzip);
    if (bytes === 0) to = olderSamples;
    else size = Math.floor(bytes > LIMIT_BYTES ? (size * LIMIT_BYTES * FILL) / bytes : size / 2);
  }
}

/** @param {URL} url @param {Uint8Array} json @param {boolean} gzip @returns {number} 0: the browser will deliver it; else how big it was, bytes */
function send(url, json, gzip) {
  const body = gzip ? gzipSync(json) : json;
  if (body.length > LIMIT_BYTES) return body.length;
  // Text may go to other origins without their consent being asked first, for which the page has no time.
  const type = gzip ? 'application/gzip' : 'text/plain;charset=UTF-8';
  const blob = new Blob([/** @type {Uint8Array<ArrayBuffer>} */ (body)], { type });
  return navigator.sendBeacon(url, blob) ? 0 : body.length;
}
