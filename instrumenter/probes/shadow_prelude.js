import { PLAIN_NAMES } from './realm_names.js';
import { chooseNames, entryStart, makeHook } from './prelude.js';

/**
 * The prelude of a script with shadow probes, and the names that the inserted code uses. Contract: docs/hook.md.
 *
 * @typedef {import('./realm_names.js').RealmNames} RealmNames
 * @typedef {{hook: string, cells: string, base: string, depth: string, topDepth: string, temp: string, left: string,
 *   init: string}} ShadowNames `cells` is the realm's array, `base` the script's first function id; `depth` is a
 *   function's own cell, or 0 while it does not run, `topDepth` that of the top level; `temp` keeps a value while a probe runs,
 *   `left` a `finally` block's memory of being run by a function that has left; `init` runs a
 *   module's prelude
 */

/** As `SHADOW` and `PAGES` in wasm/core.js; kept in step by a test. */
export const SHADOW_CELLS = { offset: 1024, cells: 32768, pages: { initial: 16, maximum: 2048 } };

const LETTERS = {
  hook: 'H',
  cells: 'A',
  base: 'B',
  depth: 'D',
  topDepth: 'D',
  temp: 'T',
  left: 'L',
  init: 'I',
};

/**
 * Classic scripts share a global scope: what differs between them has the script's id in its name.
 * @param {string} code
 * @param {{isModule: boolean, scriptId: number}} script
 * @returns {ShadowNames} names that the code does not use
 */
export function chooseShadowNames(code, { isModule, scriptId }) {
  const names = chooseNames(code, LETTERS);
  if (isModule) return names;
  const own = `_${scriptId.toString(36)}`;
  return { ...names, base: names.base + own, topDepth: names.topDepth + own };
}

/** The realm's array of cells, made at the first call. @param {string} hook @param {RealmNames} realm */
function cellsOf(hook, { globalThis: realm, Int32Array }) {
  const { offset, cells, pages } = SHADOW_CELLS;
  return (
    `${hook}.d||(h=>{h.n=1;try{if(${realm}.crossOriginIsolated===true){` +
    `var m=new ${realm}.WebAssembly.Memory({initial:${pages.initial},maximum:${pages.maximum},shared:true});` +
    `h.d=new ${Int32Array}(m.buffer,${offset},${cells});h.m=m}}catch(e){}` +
    `h.d=h.d||new ${Int32Array}(${cells});h.d[0]=1;return h.d})(${hook})`
  );
}

/**
 * As `prelude`, for shadow probes.
 * @param {{scriptId: number, tableAddress: string, inCycles: boolean, functionCount: number}} script `functionCount`: as many ids
 *   as its function table has rows
 * @param {ShadowNames} names
 * @param {string} enter
 * @param {RealmNames} [realm]
 * @returns {string}
 */
export function shadowPrelude({ functionCount, inCycles, ...script }, names, enter, realm = PLAIN_NAMES) {
  const { hook, cells, base, temp, init } = names;
  const register = `${hook}.s.push(${entryStart(script, realm)},(${hook}.n+=${functionCount},${base})])`;
  const checked = enter && `,${temp}=${enter}`;
  if (!inCycles) {
    return `var ${hook}=${makeHook(realm)},${cells}=${cellsOf(hook, realm)},${base}=${hook}.n,${temp}=${register}${checked};`;
  }
  return (
    `var ${hook},${cells},${base},${temp}=${cells}||${init}()${checked};` +
    `function ${init}(){${hook}=${makeHook(realm)};var a=${cellsOf(hook, realm)};${base}=${hook}.n;${register};return ${cells}=a}`
  );
}
