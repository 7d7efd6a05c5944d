import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './run.js';

/**
 * Names that the shipped files have in a short form, because they are long and only ours: the exports of the core, and methods and
 * properties that never leave the polyfill. What pages can see keeps its name, and so does `polyprof_abi_version`, by which files of
 * two releases know each other.
 */

/** Properties of the polyfill and of `wasm/`; none may be of a type that pages or engines know, which a test holds. */
const INTERNAL = `
  _alone _exports _pointer addLocated addUnlocated armHookFast attribution
  breakLock closeSession credit disarm encodeTrace endGap ENTER
  failTable fillsAtTick giveUp isBusy isFull isGone isTaken
  LEAVE loadTable longestWaitTicks msUntilNextTick nextTick addLate
  onfull ongone openSession registerScript releaseHook releaseSession replan RESUME
  scriptUrl settle settled letSample stackOfShadow stackOfText stackTop
  tablesChanged tickAt traceNow uniform unlocated unplaced unwoken
  stackError textOf timeNow watched tick late look cut arm since wake users last skip
`
  .trim()
  .split(/\s+/);

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
  ...EXPORTS.map((name, index) => pair(name, String.fromCharCode((index < 26 ? 97 : 39) + index))),
  ...INTERNAL.map((name, index) => pair(name, `_${index.toString(36)}`)),
]);

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
