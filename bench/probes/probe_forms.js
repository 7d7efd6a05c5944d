import { hostLine } from '../lib/host.js';
import { count, engineNames, readOptions } from '../lib/options.js';
import { writeLines } from '../lib/results.js';
import { addRow, tableHead } from '../lib/table.js';
import { FORMS, formCode } from './probe_form.js';
import { timeForms } from './timed_loops.js';

/**
 * What other forms of probes would cost, dormant, beside ours: ns per call more than without a probe.
 *
 * Each form runs in a page of its own, turn by turn; medians of all runs, and half of the distance between the quartiles. Writes bench/results/probe_forms.md.
 */

const { engines, runs } = readOptions('What other forms of probes would cost, dormant, beside ours.', {
  engines: engineNames(),
  runs: count('of each form, of which the median counts', 7),
});

/** Calls of functions that have probes, but for `chain`, which counts calls of its first function. */
const LOOPS = { method: 2e7, leaf: 1e8, recursion: 4e7, chain: 2e7, loop: 2e6 };

const forms = Object.fromEntries(
  Object.entries(FORMS).map(([name, form]) => [
    name,
    { code: formCode(form), isModule: form.scope === 'module', baseline: form.baseline },
  ]),
);
const lines = [
  `${hostLine()}. Nanoseconds per call more than without a probe: median of ${runs} runs ± half of the distance between the quartiles; in parentheses the call itself.`,
  '',
  ...tableHead(['engine', 'form', ...Object.keys(LOOPS)]),
];
console.log(lines.slice(2).join('\n'));
for (const engine of engines) {
  for (const [name, { own, more, spread }] of await timeForms(engine, forms, LOOPS, runs)) {
    const cells = Object.keys(LOOPS).map((loop) =>
      FORMS[name].baseline === name
        ? `(${own[loop].toFixed(1)})`
        : `${more[loop].toFixed(2)} ± ${spread[loop].toFixed(2)}`,
    );
    addRow(lines, [engine, name, ...cells]);
  }
}
writeLines('probe_forms.md', lines);
