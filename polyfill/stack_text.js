/**
 * `Error.stack` of the running code, untouched by what the page does to `Error`.
 */
const PageError = Error;

/**
 * V8's default of 10 frames is too short. SpiderMonkey (128) and JSC (100) keep theirs: JSC before 2026-09 ignored assignments
 * in hot code, so text may be cut there; its leaf end, which decides self time, is always whole.
 */
const V8_FRAMES = 1000;

const isV8 = /^Error\b[^\n]*\n {4}at /.test(String(new PageError().stack));

/** Its errors say where they were made, and had no `stackTraceLimit` before 2026. */
export const isSpiderMonkey = 'fileName' in new PageError();

export const isJsc = !isV8 && !isSpiderMonkey;

/** Lines of a text that the engine may have cut: it stops after so many frames. */
const FULL_LINES = isV8 ? V8_FRAMES + 1 : (/** @type {any} */ (PageError).stackTraceLimit ?? 128);

/** @param {string} text @returns {boolean} may outer frames be missing? */
export function isCut(text) {
  return text.trimEnd().split('\n').length >= FULL_LINES;
}

/** @returns {Error} with the stack of the running code; its first `SKIPPED_FRAMES` frames are this file's own */
export const stackError = isV8 ? stackErrorV8 : () => new PageError();

/** A raised limit makes the page's own errors dearer: it is set for the capture alone. */
function stackErrorV8() {
  const v8Error = /** @type {any} */ (PageError);
  const limit = v8Error.stackTraceLimit;
  try {
    v8Error.stackTraceLimit = V8_FRAMES;
    return new PageError();
  } finally {
    v8Error.stackTraceLimit = limit;
  }
}

/**
 * Engines make the text when it is read. In V8 a `prepareStackTrace` of the page (source-map-support and the like) would run then; elsewhere it is
 * a property like any other.
 * @param {{stack?: string}} error @returns {string}
 */
export function textOf(error) {
  const v8Error = /** @type {any} */ (PageError);
  const prepare = isV8 && v8Error.prepareStackTrace;
  try {
    if (prepare) v8Error.prepareStackTrace = undefined;
    return String(error.stack);
  } finally {
    if (prepare) v8Error.prepareStackTrace = prepare;
  }
}
