/**
 * The prelude of an instrumented script, and the names that the inserted code uses. Contract: docs/hook.md.
 *
 * @typedef {{hook: string, flag: string, temp: string, suspended: string, init: string}} ProbeNames `hook` and `flag` are the
 *   realm's hook and its flag's array; `temp` keeps a value while a probe runs, `suspended` is a function's memory of being
 *   suspended, `init` runs a module's prelude
 */

const MAKE_HOOK =
  'globalThis.__polyprof__||(globalThis.__polyprof__={v:1,' +
  'f:new Int32Array(typeof SharedArrayBuffer=="function"?new SharedArrayBuffer(64):16),s:[],e(){},l(){},r(){}})';

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
  return first?.type === 'VariableDeclaration' && /^__ppH\d*$/.test(first.declarations[0].id.name);
}

/**
 * One line without a line terminator. It leaves a classic script's completion value alone: a `var` has none.
 * @param {object} script
 * @param {number} script.scriptId
 * @param {string} script.tableName file name of the function table
 * @param {boolean} script.inCycles a module that imports: others may call its function declarations before it runs
 * @param {ProbeNames} names
 * @param {string} enter the top level's enter check, an expression; empty: none
 * @returns {string}
 */
export function prelude({ scriptId, tableName, inCycles }, names, enter) {
  const { hook, flag, temp, init } = names;
  // In an HTML page `</script` would end the script.
  const name = JSON.stringify(tableName).replaceAll('<', '\\x3c');
  const register = `${hook}.s.push([${scriptId},${name},()=>Error().stack])`;
  const checked = enter && `,${temp}=${enter}`;
  if (!inCycles) {
    return `var ${hook}=${MAKE_HOOK},${flag}=${hook}.f,${temp}=${register}${checked};`;
  }
  return (
    `var ${hook},${flag},${temp}=${flag}||${init}()${checked};` +
    `function ${init}(){${hook}=${MAKE_HOOK};${register};return ${flag}=${hook}.f}`
  );
}
