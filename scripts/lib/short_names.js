import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './run.js';

/**
 * Names that the shipped files have in a short form, because they are long and only ours: the exports of the core, and methods and
 * properties that never leave the polyfill. What pages can see keeps its name, and so does `polyprof_abi_version`, by which files of
 * two releases know each other.
 */

/** Properties of the polyfill and of `wasm/`, those first that are written most often; none may be of a type that pages or engines know, which a test holds. */
const INTERNAL = `
  _exports _pointer last look _alone tickAt settle unwoken since longestWaitTicks attribution settled
  skip disarm unlocated late arm wake msUntilNextTick nextTick openSession replan tick isBusy isGone
  isTaken stackOfShadow watched users breakLock failTable ongone unplaced stackError textOf
  cut armHookFast closeSession credit encodeTrace endGap fillsAtTick giveUp
  isFull loadTable addLate onfull registerScript releaseHook releaseSession scriptUrl letSample
  stackOfText stackTop tablesChanged traceNow timeNow ENTER LEAVE RESUME odds whole
`
  .trim()
  .split(/\s+/);

/** Of the alphabet: small ones for exports, then capitals; capitals for those of INTERNAL that are written most often. */
const LETTERS = 26;

/** Exports of polyprof.wasm but for the one that keeps its name. */
const EXPORTS = [
  '__stack_pointer',
  ...readFileSync(join(ROOT, 'wasm/exports.txt'), 'utf8')
    .trim()
    .split('\n')
    .filter((name) => name !== 'polyprof_abi_version'),
];

/** Short names by long ones. @type {ReadonlyMap<string, string>} */
export const SHORT_NAMES = new Map([
  ...EXPORTS.map((name, index) => pair(name, String.fromCharCode((index < LETTERS ? 97 : 39) + index))),
  ...INTERNAL.map((name, index) => pair(name, capital(index) ?? `_${(index - LETTERS).toString(36)}`)),
]);

/** @param {number} index @returns {string | undefined} as long as there are any */
function capital(index) {
  return index < LETTERS ? String.fromCharCode(65 + index) : undefined;
}

/** @param {string} name @param {string} short @returns {[string, string]} */
function pair(name, short) {
  return [name, short];
}

/** For esbuild: the same short names in every bundle. @type {import('esbuild').BuildOptions} */
export const shortProperties = {
  mangleProps: new RegExp(`^(${[...SHORT_NAMES.keys()].join('|')})$`),
  mangleCache: Object.fromEntries(SHORT_NAMES),
};

/** @param {string} text of the core's module @returns {string} the same with short names of exports */
export function withShortExports(text) {
  return text.replace(/(?<=\(export ")\w+(?=")/g, (name) => SHORT_NAMES.get(name) ?? name);
}
