import { LineIndex } from '../../instrumenter/text/line_index.js';
import { CHECK } from './entry_check.js';
import { functionsIn, innermost } from './functions_in.js';

/** @import { ProfilerTrace } from '../../report/reading/check_trace.js' */

/** @import { Definition } from './functions_in.js' */

/** @param {string} code as `entryChecks` made it @returns {Definition[]} the functions that have a check, by their start */
export function checkedFunctions(code) {
  return functionsIn(code).filter(
    ({ node }) =>
      node.body.type === 'BlockStatement' &&
      node.body.body.some((/** @type {{start: number}} */ { start }) => code.startsWith(CHECK, start)),
  );
}

/**
 * What the checks saw, which is all that such a profiler can tell: a sample is of the function that was entered next.
 * @param {[time: number, stack: string][]} samples
 * @param {string} code as `entryChecks` made it
 * @param {Definition[]} functions `checkedFunctions` of it
 * @returns {ProfilerTrace} stacks have the innermost function only, frames no names
 */
export function traceOfChecks(samples, code, functions) {
  const lines = new LineIndex(code);
  /** Frame by place in the text. @type {Map<string, number>} */
  const known = new Map();
  const checkedAt = (/** @type {number} */ offset) => {
    const found = innermost(functions, offset);
    if (found < 0) throw new Error(`no function with an entry check is at ${offset}`);
    return found;
  };
  const frameOf = (/** @type {string} */ stack) => {
    // In V8 `Error`, then what took it, then who was entered.
    const entered = stack.split('\n')[stack.startsWith('Error') ? 2 : 1] ?? '';
    const [place = '', line, column] = /:(\d+):(\d+)\)?$/.exec(entered) ?? [];
    const frame = known.get(place) ?? checkedAt(lines.startOf(Number(line)) + Number(column) - 1);
    known.set(place, frame);
    return frame;
  };
  return {
    resources: [],
    frames: functions.map(({ line, column }) => ({ name: '', line, column })),
    stacks: functions.map((_, frameId) => ({ frameId })),
    samples: samples.map(([timestamp, stack]) => ({ timestamp, stackId: frameOf(stack) })),
  };
}
