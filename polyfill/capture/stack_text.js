import { placeOf } from './place_of.js';

/**
 * `Error.stack` of the running code, untouched by what the page does to `Error`: lines of `name@url:line:column`.
 *
 * @typedef {object} CallSite what V8 tells of a frame
 * @property {() => string | null} getFunctionName
 * @property {() => string | null} getScriptNameOrSourceURL
 * @property {() => number | null} getLineNumber
 * @property {() => number | null} getColumnNumber
 * @property {() => number | null} getEnclosingLineNumber
 * @property {() => number | null} getEnclosingColumnNumber
 * @property {() => boolean} isEval
 * @property {() => boolean} isAsync it waits for a promise
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
  // Each frame's line ends with a line break, but for the last one in JSC.
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
export const textOf = (error) => textFrom(() => error.stack);

/** @param {() => string | undefined} read an error's stack @param {number} [limit] frames that are needed, of an error that is made then @returns {string} */
export function textFrom(read, limit) {
  const text = plainly(() => String(read() ?? ''), limit, isV8 && textOfSites);
  // Ours ends with a line break.
  return isV8 && text && !text.endsWith('\n') ? translated(text) : text;
}

/**
 * In V8 a `prepareStackTrace` of the page (source-map-support and the like) would run where a stack is read, so ours does; and a page may want no frames.
 * @template T @param {() => T} call reads or makes a stack @param {number} [limit] @param {typeof textOfSites | false} [prepare] @returns {T}
 */
function plainly(call, limit = frames, prepare) {
  const { stackTraceLimit, prepareStackTrace } = PageError;
  try {
    set(PageError, 'stackTraceLimit', limit);
    if (prepare) set(PageError, 'prepareStackTrace', prepare);
    return call();
  } finally {
    set(PageError, 'stackTraceLimit', stackTraceLimit);
    // Where there was none it stays, as undefined: were it taken away each time, the page's own errors would be slower.
    if (prepare) set(PageError, 'prepareStackTrace', prepareStackTrace);
  }
}

/** What waits is not on the stack. Initialisers of classes are called `<...>`, and have no start of their own. @param {Error} _ @param {CallSite[]} sites */
function textOfSites(_, sites) {
  let text = '';
  for (const site of sites) {
    if (site.isAsync()) break;
    const name = site.getFunctionName() ?? '';
    const url = name[0] !== '<' && !site.isEval() && site.getScriptNameOrSourceURL();
    text += `${name}@${url ? `${url}:${placeOf(site)}` : ''}\n`;
  }
  return text;
}

/**
 * Of a page that froze `Error`, or whose `prepareStackTrace` nobody can take away. These are places of calls; taken for starts, they are of the same functions, but for calls that V8 places at a
 * method's key, such as those of static initialisers.
 * @param {string} text V8's own
 */
function translated(text) {
  let all = '';
  for (const [, waits, name = '', place] of text.matchAll(
    /\n\s+at (async (?!\())?(?:(.*?) \((?=eval at |\S+$))?(.*?)\)?$/gm,
  )) {
    if (waits) break;
    all += `${name}@${place}\n`;
  }
  return all;
}
