/**
 * Who may profile. The default is what the feature `js-profiling` would be if it were on by default: pages and their frames of the same origin may, and so may workers,
 * which have no frames around them. `install({ policy })` changes it.
 *
 * @typedef {'self' | 'allow' | 'deny'} Policy
 */

/** Found out before page code can change `parent`. */
const isForeign = isEmbeddedByOthers();

function isEmbeddedByOthers() {
  try {
    // Reading it from a document of another origin throws; sandboxed frames have an origin of their own.
    // Workers have no parent, but some call themselves `window`.
    for (
      let frame = /** @type {any} */ (globalThis), parent;
      (parent = frame.parent) && parent !== frame;
      frame = parent
    ) {
      if (!parent.document) return true;
    }
    return false;
  } catch {
    return true;
  }
}

/**
 * @param {Policy} policy
 * @param {string} errorName which kind of DOMException
 * @throws {DOMException}
 */
export function checkPolicy(policy, errorName) {
  if (policy === 'allow' || (policy === 'self' && !isForeign)) return;
  // Clients look for these words: they are Chromium's.
  throw new DOMException(
    'JS profiling is disabled by Document Policy: see polyprof.install({ policy })',
    errorName,
  );
}

/** @param {any} Native the browser's `Profiler` @returns {boolean} it is of no use here */
export function isDenied(Native) {
  try {
    // Whether it is allowed is looked at before the options, and this one never starts.
    new Native({ sampleInterval: -1, maxBufferSize: 1 });
  } catch (error) {
    return /** @type {any} */ (error)?.name === 'NotAllowedError';
  }
  return false;
}
