import { collectFunctions } from '../instrumenter/collect.js';
import { LineIndex } from '../instrumenter/line_index.js';
import { parseScript } from '../instrumenter/parse.js';
import { CHECK } from './entry_check.js';

/** @import { ProfilerTrace } from '../report/check_trace.js' */

/**
 * @typedef {object} Checked a function that has an entry check
 * @property {number} line of its definition, as engines say it
 * @property {number} column
 * @property {number} start offset of that
 * @property {number} end offset
 */

/** @param {string} code as `entryChecks` made it @returns {Checked[]} by their start */
export function checkedFunctions(code) {
  const { program } = parseScript(code, { file: 'script.js', sourceType: 'script' });
  const lines = new LineIndex(code);
  return collectFunctions(program, code)
    .records.filter(({ kind, node }) => kind === 'function' && node.body.type === 'BlockStatement')
    .filter(({ node }) =>
      node.body.body.some((/** @type {{start: number}} */ { start }) => code.startsWith(CHECK, start)),
    )
    .map(({ definition, end }) => ({ ...lines.positionAt(definition), start: definition, end }))
    .sort((a, b) => a.start - b.start);
}

/**
 * What the checks saw, which is all that such a profiler can tell: a sample is of the function that was entered next.
 * @param {[time: number, stack: string][]} samples of V8
 * @param {string} code as `entryChecks` made it
 * @param {Checked[]} functions `checkedFunctions` of it
 * @returns {ProfilerTrace} stacks have the innermost function only, frames no names
 */
export function traceOfChecks(samples, code, functions) {
  const lines = new LineIndex(code);
  /** Frame by place in the text. @type {Map<string, number>} */
  const known = new Map();
  const frameOf = (/** @type {string} */ stack) => {
    // `Error`, what took it, who was entered.
    const [place = '', line, column] = /:(\d+):(\d+)\)?$/.exec(stack.split('\n')[2] ?? '') ?? [];
    const frame = known.get(place) ?? innermost(functions, lines.startOf(Number(line)) + Number(column) - 1);
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

/** @param {Checked[]} functions by their start @param {number} offset @returns {number} index of the innermost one around it */
function innermost(functions, offset) {
  const found = functions.findLastIndex(({ start, end }) => start <= offset && offset < end);
  if (found < 0) throw new Error(`no function with an entry check is at ${offset}`);
  return found;
}
