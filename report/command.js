import { statSync } from 'node:fs';
import { Option } from 'commander';
import { callTree } from './call_tree.js';
import { Failures } from './failures.js';
import { FORMATS } from './formats.js';
import { MergedTrace } from './merged_trace.js';
import { formatCount } from './numbers.js';
import { maxSizeOption, tablesOption, topOption } from './option_values.js';
import { outputOf, writeProfiles } from './output.js';
import { progressBar } from './progress_bar.js';
import { readAllProfiles } from './read_trace.js';
import { SymbolFinder } from './symbol_finder.js';
import { formatTable } from './table.js';
import { terminal } from './terminal.js';
import { withSymbols } from './with_symbols.js';

/** @import { Command } from 'commander' */
/** @import { Profile } from './formats.js' */
/** @import { Output } from './output.js' */
/** @import { SymbolFolder } from './symbol_finder.js' */
/** @import { TraceError } from './trace_error.js' */

/** @typedef {{tables: SymbolFolder[], output?: string, format?: string, merge?: boolean, top: number, maxSize: number}} Options */

/**
 * @typedef {object} Console where things are said
 * @property {(text: string | Uint8Array) => void} print
 * @property {(text: string) => void} complain
 */

const OUTPUT_HELP = FORMATS.map(({ extensions, description }) => `*${extensions[0]} (${description})`).join(
  ', ',
);

const EXIT_CODES = `
Exit code 1 when a trace could not be read or a file not be written; the others are done. 2: wrong usage.`;

/**
 * Adds `polyprof report` to a command line. A trace that is bad is told, and makes the exit code 1; the others are done.
 * @param {Command} program
 */
export function registerReport(program) {
  program
    .command('report')
    .description('show where the time of traces went, or convert them')
    .argument(
      '<trace...>',
      'traces in JSON, also gzipped or a line each; folders of them; - for standard input',
    )
    .addOption(tablesOption())
    .option(
      '-o, --output <file>',
      `convert instead: ${OUTPUT_HELP}; with .gz after it gzipped; a folder: a file per trace`,
    )
    .addOption(
      new Option(
        '--format <name>',
        'what to convert to, if not by the name of the output; without one to standard output',
      ).choices(FORMATS.map(({ name }) => name)),
    )
    .option('--merge', 'add all traces up to one; their order of time is lost')
    .addOption(topOption())
    .addOption(maxSizeOption())
    .addHelpText('after', EXIT_CODES)
    .action(async (paths, options, command) => {
      const { writeOut, writeErr } = command.configureOutput();
      /** @type {Console} */
      const console = {
        print: (text) => (typeof text === 'string' ? writeOut(text) : process.stdout.write(text)),
        complain: writeErr,
      };
      const output = outputOrUsageError(options, command);
      try {
        const isGood = await report(paths, options, output, console);
        if (!isGood) process.exitCode = 1;
      } catch (error) {
        writeErr(`error: ${/** @type {Error} */ (error).message}\n`);
        process.exitCode = 1;
      }
    });
}

/** @param {Options} options @param {Command} command */
function outputOrUsageError({ output, format }, command) {
  try {
    return outputOf(output, format);
  } catch (error) {
    return command.error(`error: ${/** @type {Error} */ (error).message}`);
  }
}

/**
 * @param {string[]} paths @param {Options} options @param {Output | null} output @param {Console} console
 * @returns {Promise<boolean>} whether all went well
 */
async function report(paths, options, output, console) {
  const failures = new Failures(console.complain);
  const bar = progressBar(process.stderr);
  const onError = (/** @type {TraceError} */ error) => {
    bar.clear();
    failures.add(error);
  };
  const profiles = readAllProfiles(paths, { maxBytes: options.maxSize, onError, onProgress: bar.show });
  const finder = new SymbolFinder(options.tables);
  const symbolicated = options.tables.length > 0 ? withSymbols(profiles, finder) : profiles;
  const wanted = options.merge ? merged(symbolicated) : symbolicated;
  if (output) {
    const all = [];
    for await (const profile of wanted) all.push(profile);
    bar.clear();
    if (all.length > 0) await writeProfiles(output, all, console.print);
  } else {
    const hasMany = paths.length > 1 || Boolean(statSync(paths[0], { throwIfNoEntry: false })?.isDirectory());
    for await (const profile of wanted) {
      bar.clear();
      printTable(profile, hasMany && !options.merge, options, console);
    }
  }
  bar.clear();
  for (const problem of finder.broken) failures.addText(problem);
  for (const warning of finder.warnings()) console.complain(`warning: ${warning}\n`);
  return failures.finish();
}

/** @param {AsyncIterable<Profile>} profiles @returns {AsyncGenerator<Profile>} one, or none of none */
async function* merged(profiles) {
  const profile = await mergedProfile(profiles);
  if (profile) yield profile;
}

/** What it took to merge is garbage before the result is written. @param {AsyncIterable<Profile>} profiles */
async function mergedProfile(profiles) {
  const merge = new MergedTrace();
  for await (const profile of profiles) merge.add(profile);
  return merge.traces > 0 ? merge.profile(`${formatCount(merge.traces)} traces`) : null;
}

/** @param {Profile} profile @param {boolean} hasMany @param {Options} options @param {Console} console */
function printTable({ name, trace, details }, hasMany, { top }, { print }) {
  const { width, color } = terminal(process.stdout);
  if (hasMany) print(`\n${name}\n`);
  print(formatTable(callTree(trace), { width, color, rows: top, losses: details?.losses }));
}
