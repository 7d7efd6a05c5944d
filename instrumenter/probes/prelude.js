import { PLAIN_NAMES } from './realm_names.js';

/**
 * The prelude of an instrumented script, and the names that the inserted code uses. Contract: docs/hook.md.
 *
 * @typedef {import('./realm_names.js').RealmNames} RealmNames
 * @typedef {{hook: string, flag: string, temp: string, suspended: string, init: string}} ProbeNames `hook` and `flag` are the
 *   realm's hook and its flag's array; `temp` keeps a value while a probe runs, `suspended` is a function's memory of being
 *   suspended, `init` runs a module's prelude
 */

/** @param {RealmNames} realm @returns {string} an expression: the realm's hook, made if there is none */
export const makeHook = ({ globalThis: realm, Int8Array, SharedArrayBuffer }) =>
  `${realm}.__polyprof__||(${realm}.__polyprof__={v:1,` +
  `f:new ${Int8Array}(typeof ${SharedArrayBuffer}=="function"?new ${SharedArrayBuffer}(64):64),s:[],e(){},l(){},r(){}})`;

const LETTERS = { hook: 'H', flag: 'F', temp: 'T', suspended: 'S', init: 'I' };

/**
 * @template {Record<string, string>} [L=typeof LETTERS]
 * @param {string} code
 * @param {L} [letters] that names differ by
 * @returns {{[role in keyof L]: string}} names that the code does not use
 */
export function chooseNames(code, letters = /** @type {any} */ (LETTERS)) {
  for (let suffix = ''; ; suffix = String(Number(suffix) + 1)) {
    const own = Object.entries(letters).map(([role, letter]) => [role, `__pp${letter}${suffix}`]);
    if (!own.some(([, name]) => code.includes(name))) return Object.fromEntries(own);
  }
}

/**
 * @param {import('../syntax/parse.js').Node} program
 * @returns {boolean} does it begin with a prelude, of any kind of probes? Then it has its probes already.
 */
export function hasPrelude(program) {
  const [first] = program.body;
  if (first?.type !== 'VariableDeclaration') return false;
  const names = first.declarations.slice(0, 3).map((/** @type {any} */ { id }) => id.name);
  return PRELUDES.test(names.join());
}
const PRELUDES = /^__ppH(\d*),(__ppF\1(_\w+)?,__ppT\1|__ppA\1,__ppB\1(_\w+)?)$/;

/** How far the end of a prelude may be: before it are comments and directives. */
const SEARCHED = 10_000;

/** @param {string} code @returns {string | undefined} address of its function table, relative to it; undefined: it has no probes, or its table in it */
export function tableNameIn(code) {
  return /\b__pp[HA]\d*\b[^]*?"([^"\\]+\.ppft)"/.exec(code.slice(0, SEARCHED))?.[1];
}

/**
 * The first members of the script's entry in the hook's list.
 * @param {{scriptId: number, tableAddress: string}} script
 * @param {RealmNames} realm
 */
export function entryStart({ scriptId, tableAddress }, realm) {
  // In an HTML page `</script` would end the script.
  const name = JSON.stringify(tableAddress).replaceAll('<', '\\x3c');
  return `[${scriptId},${name},()=>${realm.Error}().stack`;
}

/**
 * One line without a line terminator. It leaves a classic script's completion value alone: a `var` has none.
 * @param {object} script
 * @param {number} script.scriptId
 * @param {string} script.tableAddress of the function table, relative to the script's
 * @param {boolean} script.inCycles a module that imports: others may call its function declarations before it runs
 * @param {ProbeNames} names
 * @param {string} enter the top level's enter check, an expression; empty: none
 * @param {RealmNames} [realm]
 * @returns {string}
 */
export function prelude({ inCycles, ...script }, names, enter, realm = PLAIN_NAMES) {
  const { hook, flag, temp, init } = names;
  const register = `${hook}.s.push(${entryStart(script, realm)}])`;
  const checked = enter && `,${temp}=${enter}`;
  if (!inCycles) {
    return `var ${hook}=${makeHook(realm)},${flag}=${hook}.f,${temp}=${register}${checked};`;
  }
  return (
    `var ${hook},${flag},${temp}=${flag}||${init}()${checked};` +
    `function ${init}(){${hook}=${makeHook(realm)};${register};return ${flag}=${hook}.f}`
  );
}
