import { NS_PER_CALL } from '../../instrumenter/budget/probe_costs.js';
import { instrument } from '../../instrumenter/instrument.js';
import { hostLine } from '../lib/host.js';
import { count, engineNames, readOptions } from '../lib/options.js';
import { writeLines } from '../lib/results.js';
import { addRow, tableHead } from '../lib/table.js';
import { entryChecks } from '../rewritten/entry_check.js';
import { FORMS as PROBE_FORMS, formCode } from './probe_form.js';
import { timeForms } from './timed_loops.js';

/**
 * What one call of a function with a probe costs more than without, ns, dormant and while a session samples at 10 ms:
 *
 * The function is a method that the engine is kept from inlining by its size, as those are that a budget leaves probes in; `leaf` is one that it
 * may inline. Each form runs in a page of its own, turn by turn; the median of all runs is shown. Writes bench/results/micro.md.
 */

const { engines, runs } = readOptions('What one call of a function with a probe costs more than without.', {
  engines: engineNames(),
  runs: count('of each form, of which the median counts', 5),
});

const CODE = formCode(PROBE_FORMS.plain);
const LOOPS = { method: 2e7, leaf: 1e8 };
const probed = (/** @type {string} */ probe) =>
  instrument(CODE, { probe, minWeight: 0, file: 'loops.js', sourceMap: false }).code;
/** @type {Record<string, import('./timed_loops.js').Form>} */
const FORMS = {
  plain: { code: CODE },
  'flag, off': { code: probed('flag') },
  'flag, 10 ms': { code: probed('flag'), interval: 10 },
  // Isolated all the same, for the finer clock.
  'self-timed, 10 ms': { code: probed('flag'), interval: 10, worker: false },
  'shadow, off': { code: probed('shadow') },
  'shadow, 10 ms': { code: probed('shadow'), interval: 10 },
  'entry check only, off': { code: entryChecks(CODE) },
  counting: { code: probed('count') },
};

const lines = [
  `${hostLine()}. Nanoseconds per call more than without a probe, median of ${runs} runs; in parentheses the call itself.`,
  '',
  ...tableHead(['engine', 'form', 'method', 'leaf that is inlined']),
];
console.log(lines.slice(2).join('\n'));
for (const engine of engines) {
  for (const [name, { own, more }] of await timeForms(engine, FORMS, LOOPS, runs)) {
    const cells =
      name === 'plain'
        ? [`(${own.method.toFixed(1)})`, `(${own.leaf.toFixed(1)})`]
        : [more.method.toFixed(2), more.leaf.toFixed(2)];
    addRow(lines, [engine, name, ...cells]);
  }
}
console.log(`\nbudgets reckon with ${JSON.stringify(NS_PER_CALL)} (instrumenter/budget/probe_costs.js)`);
writeLines('micro.md', lines);
