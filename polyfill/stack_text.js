/**
 * `Error.stack` of the running code, untouched by what the page does to `Error`.
 */
const PageError = /** @type {ErrorConstructor & {stackTraceLimit?: any, prepareStackTrace?: any}} */ (Error);

/** Where a page froze `Error` it keeps what it has. */
const { set } = Reflect;

/**
 * V8's default of 10 frames is too short. SpiderMonkey (128) and JSC (100) keep theirs: SpiderMonkey knows no more, and JSC before 2026-09 ignored
 * assignments in hot code, so text may be cut there; its leaf end, which decides self time, is always whole.
 */
let leastFrames = 100;

const anError = plainly(() => new PageError());

/** Its errors say where they were made ... */
export const isSpiderMonkey = 'fileName' in anError;

/** ... and so do its, in other words. What stacks look like is up to the page. */
export const isJsc = 'line' in anError;

const isV8 = !isSpiderMonkey && !isJsc;
if (isV8) leastFrames = 1000;

/** Lines of a text that the engine may have cut: it stops after so many frames. */
let fullLines = isV8 ? leastFrames + 1 : isJsc ? 100 : 128;

/** @param {string} text @returns {boolean} may outer frames be missing? */
export function isCut(text) {
  return text.trimEnd().split('\n').length >= fullLines;
}

/**
 * A raised limit makes the page's own errors dearer: it is set for the capture alone.
 * @returns {Error} with the stack of the running code; its first `SKIPPED_FRAMES` frames are this file's own
 */
export function stackError() {
  const limit = PageError.stackTraceLimit;
  const isLow = limit < leastFrames;
  try {
    if (isLow && !set(PageError, 'stackTraceLimit', leastFrames)) fullLines = limit + Number(isV8);
    return new PageError();
  } finally {
    if (isLow) set(PageError, 'stackTraceLimit', limit);
  }
}

/** @param {{stack?: string}} error @returns {string} engines make it when it is read */
export const textOf = (error) => plainly(() => String(error.stack));

/**
 * In V8 a `prepareStackTrace` of the page (source-map-support and the like) would run where a stack is read; and a page's `stackTraceLimit` may be 0.
 * @template T @param {() => T} call reads or makes a stack @returns {T}
 */
export function plainly(call) {
  const { stackTraceLimit: limit, prepareStackTrace } = PageError;
  const isLow = limit < leastFrames;
  try {
    if (isLow) set(PageError, 'stackTraceLimit', leastFrames);
    if (prepareStackTrace) set(PageError, 'prepareStackTrace', undefined);
    return call();
  } finally {
    if (isLow) set(PageError, 'stackTraceLimit', limit);
    if (prepareStackTrace) set(PageError, 'prepareStackTrace', prepareStackTrace);
  }
}
