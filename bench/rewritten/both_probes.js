import { instrument } from '../../instrumenter/instrument.js';
import { DEFAULT_MIN_WEIGHTS } from '../../instrumenter/options.js';
import { FunctionFlag, writeFunctionTable } from '../../instrumenter/tables/function_table.js';
import { readFunctionTable } from '../../report/symbols/read_function_table.js';

/** @typedef {'flag' | 'shadow'} Kind */
/** @typedef {{line: number, column: number, ordinal: number}} Place where a function begins, and which one of the script's it is, whatever is in them */

/** The hook, and what the names of inserted code begin with. Those of the inner kind are called otherwise, so that neither kind knows of the other. */
const HOOK = '__polyprof__';
const INNER_HOOK = '__polyinner__';
const NAMES = '__pp';
const INNER_NAMES = '__pi';

/** @param {string} text @returns {string} */
const asInner = (text) => text.replaceAll(HOOK, INNER_HOOK).replaceAll(NAMES, INNER_NAMES);

/**
 * Puts probes of both kinds into a script.
 * @param {string} code
 * @param {string} file its name
 * @param {Kind} inner whose probes are put in first: those of the other kind are around them
 * @returns {{code: string, tables: Record<string, Uint8Array>, probed: Place[]}} `tables`: function tables by the file
 *   name that the code expects each under; `probed`: the functions that have probes of both kinds. The first ones make some others heavy
 *   enough for those of the second kind
 * @throws {Error} when it has names of ours already
 */
export function withBothProbes(code, file, inner) {
  for (const name of [HOOK, INNER_HOOK, NAMES, INNER_NAMES]) {
    if (code.includes(name)) throw new Error(`${file} has the name ${name}`);
  }
  const withProbes = (/** @type {string} */ input, /** @type {Kind} */ probe) => {
    const selection = { minWeight: DEFAULT_MIN_WEIGHTS.flag, sourceMap: false };
    const output = instrument(input, { file, probe, tableName: `${file}.${probe}.ppft`, ...selection });
    if (!output.table) throw new Error(`${file} has no function that gets probes`);
    return { ...output, ...readFunctionTable(output.table) };
  };
  const first = withProbes(code, inner);
  const second = withProbes(asInner(first.code), inner === 'flag' ? 'shadow' : 'flag');
  // The top level comes first, then the functions of the inner prelude.
  const [top, ...others] = second.functions;
  const moved = [top, ...others.slice(others.length + 1 - first.functions.length)];
  moved.forEach(({ name, line }, i) => {
    const before = first.functions[i].name;
    if (name !== before)
      throw new Error(`${file}:${line}: "${name}" was "${before}" with one kind of probes`);
  });
  // Their places are those after both; what they are is as without the others.
  const functions = moved.map((fn, i) => ({ ...fn, flags: first.functions[i].flags }));
  const isProbed = (/** @type {{flags: number}} */ { flags }) => (flags & FunctionFlag.PROBED) !== 0;
  return {
    code: second.code,
    probed: moved.flatMap((fn, ordinal) =>
      isProbed(fn) && isProbed(first.functions[ordinal])
        ? [{ line: fn.line, column: fn.column, ordinal }]
        : [],
    ),
    tables: {
      [first.tableName]: writeFunctionTable({ scriptId: first.scriptId, functions }),
      [second.tableName]: /** @type {Uint8Array} */ (second.table),
    },
  };
}

/**
 * @param {string} polyfill text of dist/polyprof.js
 * @param {Kind} inner of the scripts
 * @param {number} flagInterval ms
 * @returns {string} a script after which `polyprof` profiles with both kinds at once, and where a trace would be is `{flag, shadow}`, two of them
 */
export function polyfillOfBoth(polyfill, inner, flagInterval) {
  return `${asInner(polyfill)}
;globalThis.__innerPolyprof = polyprof; delete globalThis.polyprof;
${polyfill}
;(${installBoth})('${inner}', ${flagInterval});`;
}

/** In the page. @param {Kind} inner @param {number} flagInterval ms */
function installBoth(inner, flagInterval) {
  const realm = /** @type {any} */ (globalThis);
  const clock = /** @type {any} */ (performance);
  const [ofInner, ofOuter] = [realm.__innerPolyprof, realm.polyprof].map((polyprof) => {
    polyprof.install({ force: true, baseUrl: '/dist/' });
    return clock.profile.bind(clock);
  });
  const [byFlag, byShadow] = inner === 'flag' ? [ofInner, ofOuter] : [ofOuter, ofInner];
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
