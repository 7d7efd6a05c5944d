import { parseArgs } from 'node:util';
import { ENGINE_NAMES, selectedEngines } from '../../web-test/lib/browsers.js';
import { chosen, positive } from '../lib/options.js';
import { FORMS, formCode } from './probe_form.js';
import { addRow, machine, writeLines } from '../lib/report.js';
import { timeForms } from './timed_loops.js';

/**
 * What other forms of probes would cost, dormant, beside ours: ns per call more than without a probe.
 *
 *     node bench/probes/probe_forms.js [--engines a,b] [--runs N]
 *
 * Each form runs in a page of its own, turn by turn; medians of all runs, and half of the distance between the quartiles. Writes bench/results/probe_forms.md.
 */

const { values } = parseArgs({
  options: { engines: { type: 'string' }, runs: { type: 'string', default: '7' } },
});
const engines = values.engines ? chosen('--engines', values.engines, ENGINE_NAMES) : selectedEngines();
const runs = positive('--runs', values.runs);

/** Calls of functions that have probes, but for `chain`, which counts calls of its first function. */
const LOOPS = { method: 2e7, leaf: 1e8, recursion: 4e7, chain: 2e7, loop: 2e6 };

const forms = Object.fromEntries(
  Object.entries(FORMS).map(([name, form]) => [
    name,
    { code: formCode(form), isModule: form.scope === 'module', baseline: form.baseline },
  ]),
);
const host = machine();
const lines = [
  `${host.cores} × ${host.cpu}, ${host.date}. Nanoseconds per call more than without a probe: median of ${runs} runs ± half of the distance between the quartiles; in parentheses the call itself.`,
  '',
  `| engine | form | ${Object.keys(LOOPS).join(' | ')} |`,
  `|---|---|${'---|'.repeat(Object.keys(LOOPS).length)}`,
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
