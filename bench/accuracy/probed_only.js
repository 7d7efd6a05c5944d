import { FunctionFlag } from '../../instrumenter/tables/function_table.js';
import { readFunctionTable } from '../../report/symbols/read_function_table.js';

/** @import { ProfilerTrace } from '../../report/reading/check_trace.js' */
/** @import { TableFunction } from '../../instrumenter/tables/function_table.js' */

/**
 * A trace of the browser's own profiler as ours would be: functions without probes are left out, as if inlined into their callers;
 * a stack that has none left is idle.
 * @param {ProfilerTrace} trace of an instrumented script
 * @param {Uint8Array} table the script's
 * @returns {ProfilerTrace}
 */
export function probedOnly(trace, table) {
  return definedAt(trace, probed(table));
}

/** @param {Uint8Array} table of a script @returns {TableFunction[]} its functions with probes */
export function probed(table) {
  return readFunctionTable(table).functions.filter(({ flags }) => flags & FunctionFlag.PROBED);
}

/**
 * The same for functions that are known by their places.
 * @param {ProfilerTrace} trace @param {{line: number, column: number}[]} places of definitions @returns {ProfilerTrace}
 */
export function definedAt(trace, places) {
  const definitions = new Set(places.map(({ line, column }) => `${line}:${column}`));
  const isProbed = trace.frames.map(({ line, column }) => definitions.has(`${line}:${column}`));
  /** @type {(number | undefined)[]} by stack: the nearest one whose frame is probed */
  const nearest = [];
  trace.stacks.forEach(({ frameId, parentId }, id) => {
    nearest[id] = isProbed[frameId] ? id : parentId === undefined ? undefined : nearest[parentId];
  });
  const kept = (/** @type {number | undefined} */ id) => (id === undefined ? undefined : nearest[id]);
  return {
    ...trace,
    stacks: trace.stacks.map(({ frameId, parentId }) => withId({ frameId }, 'parentId', kept(parentId))),
    samples: trace.samples.map(({ timestamp, stackId }) => withId({ timestamp }, 'stackId', kept(stackId))),
  };
}

/** @param {any} record @param {string} name @param {number | undefined} id absent when there is none */
function withId(record, name, id) {
  return id === undefined ? record : { ...record, [name]: id };
}
