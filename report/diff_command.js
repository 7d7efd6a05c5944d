import { InvalidArgumentError } from 'commander';
import { isNews, ShareComparison } from './diff/compare_shares.js';
import { formatDiff, nameAndPlace, points } from './diff/diff_table.js';
import { Failures } from './failures.js';
import { maxSizeOption, tablesOption, topOption } from './option_values.js';
import { progressBar } from './terminal/progress_bar.js';
import { readAllProfiles } from './reading/read_trace.js';
import { SymbolFinder } from './symbols/symbol_finder.js';
import { terminal } from './terminal/terminal.js';
import { withSymbols } from './symbols/with_symbols.js';

/** @import { Command } from 'commander' */
/** @import { Comparison } from './diff/compare_shares.js' */
/** @import { Profile } from './formats/formats.js' */
/** @import { SymbolFolder } from './symbols/symbol_finder.js' */
/** @import { TraceError } from './reading/trace_error.js' */

/**
 * @typedef {object} Options
 * @property {SymbolFolder[]} tables
 * @property {number} [failAbove] share, 0 to 1
 * @property {number} [failSlower] part of the time of a run, 0 to 1
 * @property {number} confidence 0 to 1
 * @property {boolean} [json]
 * @property {number} top
 * @property {number} maxSize bytes
 */

const EXIT_CODES = `
Exit code 1 when something grew by more than --fail-above, a run by more than --fail-slower, or a trace could not be read. 2: wrong usage.
Shares are of the time that was not idle. More runs on both sides show smaller changes.`;

/**
 * Adds `polyprof diff` to a command line.
 * @param {Command} program
 */
export function registerDiff(program) {
  program
    .command('diff')
    .description('show which functions and paths take another share of the time than before')
    .argument('<base>', 'a trace, or a folder of traces, from before')
    .argument('<new>', 'the same from now')
    .addOption(tablesOption())
    .option(
      '--fail-above <share>',
      'exit with 1 if a share grew by more, e.g. 5%: points of all time',
      toShare,
    )
    .option(
      '--fail-slower <share>',
      'exit with 1 if a run takes longer by more, e.g. 5% of its time that is not idle',
      toShare,
    )
    .option('--confidence <share>', 'certainty that nothing shown is mere chance', toShare, 0.95)
    .option('--json', 'the result as JSON')
    .addOption(topOption())
    .addOption(maxSizeOption())
    .addHelpText('after', EXIT_CODES)
    .action(async (base, next, options, command) => {
      const { writeOut, writeErr } = command.configureOutput();
      const failures = new Failures(writeErr);
      const comparison = await compare(base, next, options, failures);
      if (comparison) print(comparison, options, writeOut, failures);
      if (!failures.finish()) process.exitCode = 1;
    });
}

/**
 * @param {string} base
 * @param {string} next
 * @param {Options} options
 * @param {Failures} failures
 * @returns {Promise<Comparison | null>}
 */
async function compare(base, next, { tables, confidence, maxSize }, failures) {
  const comparison = new ShareComparison();
  const finder = new SymbolFinder(tables);
  const bar = progressBar(process.stderr);
  const onError = (/** @type {TraceError} */ error) => {
    bar.clear();
    failures.add(error);
  };
  const read = (/** @type {string} */ path) =>
    withSymbols(readAllProfiles([path], { maxBytes: maxSize, onError, onProgress: bar.show }), finder);
  for await (const run of byRun(read(base))) comparison.addBase(...run);
  for await (const run of byRun(read(next))) comparison.addNext(...run);
  bar.clear();
  for (const problem of finder.broken) failures.addText(problem);
  for (const warning of finder.warnings()) failures.warn(warning);
  const result = comparison.result(confidence);
  for (const [path, side] of /** @type {const} */ ([
    [base, result.base],
    [next, result.next],
  ])) {
    if (side.samples === 0 && !failures.isAbout(path))
      failures.addText(`${path}: has no sample with a stack: nothing to compare`);
  }
  return result.base.samples > 0 && result.next.samples > 0 ? result : null;
}

/**
 * Those of one run come one after the other, as they are called.
 * @param {AsyncIterable<Profile>} profiles
 * @returns {AsyncGenerator<Profile[]>}
 */
async function* byRun(profiles) {
  /** @type {Profile[]} */
  let run = [];
  for await (const profile of profiles) {
    const name = profile.details?.run;
    if (run.length > 0 && (name === undefined || name !== run[0].details?.run)) {
      yield run;
      run = [];
    }
    run.push(profile);
  }
  if (run.length > 0) yield run;
}

/** @param {Comparison} comparison @param {Options} options @param {(text: string) => void} writeOut @param {Failures} failures */
function print(comparison, { failAbove, failSlower, confidence, json, top }, writeOut, failures) {
  writeOut(
    json
      ? `${JSON.stringify(comparison, null, 2)}\n`
      : formatDiff(comparison, { rows: top, confidence, width: terminal(process.stdout).width }),
  );
  const { time } = comparison;
  if (failSlower !== undefined) {
    if (!time) failures.addText(`--fail-slower: ${whyNoTime(comparison)}`);
    else if (isNews(time) && time.change > failSlower)
      failures.addText(
        `a run takes longer by more than ${points(failSlower)} %: by ${points(time.change)} %`,
      );
  }
  if (failAbove === undefined) return;
  const grown = [...comparison.functions, ...comparison.paths].filter(({ change }) => change > failAbove);
  if (grown.length === 0) return;
  // A function and the path that it is called on often have grown by the same.
  const what = [...new Set(grown.map((change) => `${nameAndPlace(change)} by ${points(change.change)}`))];
  const more = what.length > 3 ? ` and ${what.length - 3} more` : '';
  failures.addText(`grown by more than ${points(failAbove)} points: ${what.slice(0, 3).join(', ')}${more}`);
}

/** @param {Comparison} comparison without a time */
function whyNoTime({ base, next }) {
  return base.runs < 2 || next.runs < 2
    ? 'at least two runs are needed on each side'
    : 'the runs of the base have too few samples for a time';
}

/** @param {string} text `5%` or `0.05` @returns {number} */
function toShare(text) {
  const match = /^(\d+(?:\.\d+)?|\.\d+)\s*(%?)$/.exec(text.trim());
  const share = match ? Number(match[1]) / (match[2] ? 100 : 1) : NaN;
  if (!(share >= 0 && share < 1))
    throw new InvalidArgumentError('It must be at least 0 and below 1, such as 5% or 0.05.');
  return share;
}
