/**
 * `Error.stack` of the running code, untouched by what the page does to `Error`.
 */
const PageError = /** @type {ErrorConstructor & {stackTraceLimit?: any, prepareStackTrace?: any}} */ (Error);

/** Where a page froze `Error` it keeps what it has. */
const { set } = Reflect;

/**
 * V8's default of 10 frames is too short. SpiderMonkey and JSC have theirs, whatever the page wants: more is dear, and JSC before 2026-09 ignored
 * assignments in hot code. So text may be cut there; its leaf end, which decides self time, is always whole.
 */
let frames = 128;

const ownNames = Object.getOwnPropertyNames(plainly(() => new PageError()));

/** Its errors say where they were made ... */
export const isSpiderMonkey = ownNames.includes('fileName');

/** ... and so do its, in other words. What stacks look like is up to the page. */
export const isJsc = ownNames.includes('line');

/** What has neither. */
export const isV8 = !isJsc && !isSpiderMonkey;

if (isJsc) frames = 100;
else if (isV8) frames = 1000;

/** Frames of a text that the engine may have cut: it stops after so many. */
let fullFrames = frames;

/** @param {string} text @returns {boolean} may outer frames be missing? */
export function isCut(text) {
  // V8 puts a line before them, SpiderMonkey a line break behind.
  return text.split('\n').length - Number(!isJsc) >= fullFrames;
}

/**
 * A raised limit makes the page's own errors dearer: it is set for the capture alone.
 * @returns {Error} with the stack of the running code; its first `SKIPPED_FRAMES` frames are this file's own
 */
export function stackError() {
  const limit = PageError.stackTraceLimit;
  const isOther = limit !== frames;
  try {
    if (isOther && !set(PageError, 'stackTraceLimit', frames)) fullFrames = limit;
    return new PageError();
  } finally {
    if (isOther) set(PageError, 'stackTraceLimit', limit);
  }
}

/** @param {{stack?: string}} error @returns {string} engines make it when it is read; empty: there is none */
export const textOf = (error) => plainly(() => String(error.stack ?? ''));

/**
 * In V8 a `prepareStackTrace` of the page (source-map-support and the like) would run where a stack is read; and a page may want no frames.
 * @template T @param {() => T} call reads or makes a stack @param {number} [limit] frames that it needs @returns {T}
 */
export function plainly(call, limit = frames) {
  const { stackTraceLimit, prepareStackTrace } = PageError;
  try {
    set(PageError, 'stackTraceLimit', limit);
    if (prepareStackTrace) set(PageError, 'prepareStackTrace', undefined);
    return call();
  } finally {
    set(PageError, 'stackTraceLimit', stackTraceLimit);
    if (prepareStackTrace) set(PageError, 'prepareStackTrace', prepareStackTrace);
  }
}
