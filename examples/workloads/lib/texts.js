import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { styleText } from 'node:util';
import { DESCRIPTIONS } from '../workloads.js';

/** @import { Browser } from '../../../web-test/lib/browsers.js' */
/** @import { Outcome } from './profile_workload.js' */

const CLI = fileURLToPath(new URL('../../../instrumenter/cli.js', import.meta.url));

/**
 * Above a workload's table.
 * @param {Outcome} outcome @param {Pick<Browser, 'name' | 'version'>} browser @param {boolean} color
 * @returns {string} two lines
 */
export function formatHeading({ name, ms, mode, sampleInterval, digest }, browser, color) {
  const title = color ? styleText(['bold', 'cyan'], name) : name;
  // Of 156.0.7 the 156, of 2.50.6 the 2.50: what people call them.
  const [version] = /^\d+(\.[1-9]\d*)?/.exec(browser.version) ?? [browser.version];
  const facts = [
    `${(ms / 1000).toFixed(1)} s in ${browser.name} ${version}`,
    `a sample every ${sampleInterval} ms (probe: ${mode})`,
    `hash of its output ${digest}`,
  ];
  return `${title}: ${DESCRIPTIONS[name]}\n${facts.join(', ')}\n`;
}

/**
 * After the last table: what the columns mean, what was written, and how to look at it.
 * @param {string} out
 * @param {string[]} files to open with speedscope
 * @param {string} instrumented folder of the instrumented workloads
 * @returns {string} lines
 */
export function formatEnd(out, files, instrumented) {
  const first = files[0].replace(/speedscope\.json$/, 'trace.json');
  return [
    'self: in the function itself; total: with all it called; where: in the original sources.',
    `Written to ${shown(out)}: ${files.length === 1 ? 'a trace' : `${files.length} traces`}, also as speedscope files.`,
    `A table again: node ${shown(CLI)} report ${shown(first)} --tables ${shown(instrumented)}`,
    `Open one in https://www.speedscope.app or with: npx speedscope ${shown(files[0])}`,
    '',
  ].join('\n');
}

/** @param {string} path absolute @returns {string} the way to write it that works from here, for a shell */
function shown(path) {
  const fromHere = relative('', path);
  const text = fromHere === '' || fromHere.startsWith('..') ? path : fromHere;
  return /^[\w./@:+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
