import { InvalidArgumentError, Option } from 'commander';
import picomatch from 'picomatch';
import { DEFAULT_MIN_WEIGHT, PROBE_KINDS } from '../options.js';
import { instrumentFiles } from './instrument_files.js';
import { planFiles } from './plan_files.js';
import { printReport } from './print_report.js';
import { makeWritableFolder } from './write_file.js';

const AFTER_OPTIONS = `
Globs are matched with paths relative to the output folder. Next to each script with probes its function table is
written, <script>.ppft; it has to be served with the script.

Example: all of a built site but its libraries
  polyprof instrument dist -o dist-profiled --exclude 'vendor/**'

Exit status: 0; 1 if something could not be parsed or written; 2 if the command was not understood`;

/**
 * `polyprof instrument`. Exit codes: 0; 1 if a script did not parse (everything else is written); 2 if it was used wrongly.
 * @param {import('commander').Command} program
 */
export function registerInstrument(program) {
  program
    .command('instrument')
    .description('put probes into the scripts of a site; other files are copied as they are')
    .argument('<input...>', 'files and folders')
    .requiredOption('-o, --output <folder>', 'folder to write to')
    .addOption(new Option('--probe <kind>', 'kind of probe').choices(PROBE_KINDS).default('flag'))
    .option(
      '--min-weight <n>',
      'leave out functions with fewer statements, calls and loops than this; 0: none',
      parseWeight,
      DEFAULT_MIN_WEIGHT,
    )
    .option('--include <glob>', 'instrument only files that match (repeatable)', collect)
    .option('--exclude <glob>', 'copy files that match as they are (repeatable)', collect)
    .option('--source-map', 'write source maps also for scripts that come without one')
    .addHelpText('after', AFTER_OPTIONS)
    .action(run);
}

/**
 * @param {string[]} inputs
 * @param {{output: string, probe: string, minWeight: number, include?: string[], exclude?: string[], sourceMap?: boolean}} options
 */
function run(inputs, { output, probe, minWeight, include = [], exclude = [], sourceMap = false }) {
  const jobs = planFiles(inputs, output);
  makeWritableFolder(output);
  const report = instrumentFiles(jobs, { probe, minWeight, sourceMap, selects: selector(include, exclude) });
  printReport(report, output);
  if (report.errors.length > 0) process.exitCode = 1;
}

/** @param {string[]} include none: everything @param {string[]} exclude @returns {(name: string) => boolean} */
function selector(include, exclude) {
  const isIncluded = include.length > 0 ? picomatch(include, { dot: true }) : () => true;
  const isExcluded = exclude.length > 0 ? picomatch(exclude, { dot: true }) : () => false;
  return (name) => isIncluded(name) && !isExcluded(name);
}

/** @param {string} text @returns {number} */
function parseWeight(text) {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('It must be a whole number, 0 or more.');
  return Number(text);
}

/** @param {string} value @param {string[]} [previous] */
function collect(value, previous = []) {
  return [...previous, value];
}
