import { PLAIN_NAMES } from './realm_names.js';

/**
 * The prelude of an instrumented script, and the names that the inserted code uses. Contract: docs/hook.md.
 *
 * @typedef {import('./realm_names.js').RealmNames} RealmNames
 * @typedef {{hook: string, flag: string, temp: string, suspended: string, init: string}} ProbeNames `hook` and `flag` are the
 *   realm's hook and its flag's array; `temp` keeps a value while a probe runs, `suspended` is a function's memory of being
 *   suspended, `init` runs a module's prelude
 */

/** @param {RealmNames} realm */
const makeHook = ({ globalThis: realm, Int32Array, SharedArrayBuffer }) =>
  `${realm}.__polyprof__||(${realm}.__polyprof__={v:1,` +
  `f:new ${Int32Array}(typeof ${SharedArrayBuffer}=="function"?new ${SharedArrayBuffer}(64):16),s:[],e(){},l(){},r(){}})`;

/** @param {string} code @returns {ProbeNames} names that the code does not use */
export function chooseNames(code) {
  for (let suffix = ''; ; suffix = String(Number(suffix) + 1)) {
    const names = { hook: 'H', flag: 'F', temp: 'T', suspended: 'S', init: 'I' };
    const own = Object.entries(names).map(([role, letter]) => [role, `__pp${letter}${suffix}`]);
    if (!own.some(([, name]) => code.includes(name))) return Object.fromEntries(own);
  }
}

/**
 * @param {import('./parse.js').Node} program
 * @returns {boolean} does it begin with a prelude? Then it has its probes already.
 */
export function hasPrelude(program) {
  const [first] = program.body;
  if (first?.type !== 'VariableDeclaration') return false;
  const [hook, flag, temp] = first.declarations.map((/** @type {any} */ { id }) => id.name);
  const suffix = /^__ppH(\d*)$/.exec(hook)?.[1];
  return suffix !== undefined && flag === `__ppF${suffix}` && temp === `__ppT${suffix}`;
}

/**
 * One line without a line terminator. It leaves a classic script's completion value alone: a `var` has none.
 * @param {object} script
 * @param {number} script.scriptId
 * @param {string} script.tableName file name of the function table
 * @param {boolean} script.inCycles a module that imports: others may call its function declarations before it runs
 * @param {ProbeNames} names
 * @param {string} enter the top level's enter check, an expression; empty: none
 * @param {RealmNames} [realm]
 * @returns {string}
 */
export function prelude({ scriptId, tableName, inCycles }, names, enter, realm = PLAIN_NAMES) {
  const { hook, flag, temp, init } = names;
  // In an HTML page `</script` would end the script.
  const name = JSON.stringify(tableName).replaceAll('<', '\\x3c');
  const register = `${hook}.s.push([${scriptId},${name},()=>${realm.Error}().stack])`;
  const checked = enter && `,${temp}=${enter}`;
  if (!inCycles) {
    return `var ${hook}=${makeHook(realm)},${flag}=${hook}.f,${temp}=${register}${checked};`;
  }
  return (
    `var ${hook},${flag},${temp}=${flag}||${init}()${checked};` +
    `function ${init}(){${hook}=${makeHook(realm)};${register};return ${flag}=${hook}.f}`
  );
}
