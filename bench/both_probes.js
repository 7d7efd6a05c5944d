import { readFunctionTable } from '../report/function_table.js';
import { writeFunctionTable } from '../instrumenter/function_table.js';
import { instrument } from '../instrumenter/instrument.js';
import { DEFAULT_MIN_WEIGHTS } from '../instrumenter/options.js';

/** The hook, and what the names of inserted code begin with: those of flag probes here are called otherwise, and know nothing of shadow probes. */
const HOOK = '__polyprof__';
const FLAG_HOOK = '__polyflag__';
const NAMES = '__pp';
const FLAG_NAMES = '__pf';

/**
 * Puts probes of both kinds into the same functions of a script.
 * @param {string} code
 * @param {string} file its name
 * @returns {{code: string, tables: Record<string, Uint8Array>}} `tables`: function tables by the file name that the code expects each under
 * @throws {Error} when it has names of ours already, or both kinds would not be in the same functions
 */
export function withBothProbes(code, file) {
  for (const name of [HOOK, FLAG_HOOK, NAMES, FLAG_NAMES]) {
    if (code.includes(name)) throw new Error(`${file} has the name ${name}`);
  }
  const options = { file, sourceMap: false, minWeight: DEFAULT_MIN_WEIGHTS.flag };
  const flag = instrument(code, { ...options, probe: 'flag', tableName: `${file}.flag.ppft` });
  const renamed = flag.code.replaceAll(HOOK, FLAG_HOOK).replaceAll(NAMES, FLAG_NAMES);
  const both = instrument(renamed, { ...options, probe: 'shadow', tableName: `${file}.shadow.ppft` });
  if (!flag.table || !both.table) throw new Error(`${file} has no function that gets probes`);

  const { scriptId, functions } = readFunctionTable(flag.table);
  // The top level comes first, then the functions of the first prelude.
  const [top, ...others] = readFunctionTable(both.table).functions;
  const moved = [top, ...others.slice(others.length + 1 - functions.length)];
  const names = (/** @type {typeof functions} */ list) => list.map(({ name }) => name).join('\n');
  if (names(functions) !== names(moved)) throw new Error(`${file}: the two kinds are in other functions`);
  // Their places are those after both; what they are is as without shadow probes.
  const placed = moved.map((fn, i) => ({ ...fn, flags: functions[i].flags }));
  return {
    code: both.code,
    tables: {
      [flag.tableName]: writeFunctionTable({ scriptId, functions: placed }),
      [both.tableName]: both.table,
    },
  };
}

/**
 * @param {string} polyfill text of dist/polyprof.js
 * @returns {string} a script after which `polyprof` profiles with both kinds at once, flag probes at `flagInterval` ms, and where a trace would be is
 *   `{flag, shadow}`, two of them
 */
export function polyfillOfBoth(polyfill, flagInterval = 5) {
  return `${polyfill.replaceAll(HOOK, FLAG_HOOK)}
;globalThis.__polyflag = polyprof; delete globalThis.polyprof;
${polyfill}
;(${installBoth})(${flagInterval});`;
}

/** In the page. @param {number} flagInterval ms */
function installBoth(flagInterval) {
  const realm = /** @type {any} */ (globalThis);
  const clock = /** @type {any} */ (performance);
  const of = (/** @type {any} */ polyprof) => {
    polyprof.install({ force: true, baseUrl: '/dist/' });
    return clock.profile.bind(performance);
  };
  const byFlag = of(realm.__polyflag);
  const byShadow = of(realm.polyprof);
  realm.polyprof = { install() {} };
  clock.profile = async (/** @type {any} */ options) => {
    const shadow = await byShadow(options);
    const flag = await byFlag({ ...options, sampleInterval: flagInterval });
    const modes = `${flag.mode}, ${shadow.mode}`;
    if (modes !== 'flag, shadow') throw new Error(`modes: ${modes}`);
    return {
      mode: 'both',
      sampleInterval: options.sampleInterval,
      losses: {},
      stop: async () => ({ flag: await flag.stop(), shadow: await shadow.stop() }),
    };
  };
}
