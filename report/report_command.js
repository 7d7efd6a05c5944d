import { InvalidArgumentError, Option } from 'commander';
import { callTree } from './traces/call_tree.js';
import { Failures } from './failures.js';
import { FORMATS } from './formats/formats.js';
import { InputIdentity } from './reading/input_identity.js';
import { isFolder } from './reading/is_folder.js';
import { MergedTrace } from './traces/merged_trace.js';
import { formatCount } from './numbers.js';
import { maxSizeOption, tablesOption, topOption } from './option_values.js';
import { outputOf, writeEach, writeProfiles } from './output.js';
import { progressBar } from './terminal/progress_bar.js';
import { readAllProfiles } from './reading/read_trace.js';
import { SymbolFinder } from './symbols/symbol_finder.js';
import { formatTable } from './terminal/table.js';
import { printable, terminal } from './terminal/terminal.js';
import { withSymbols } from './symbols/with_symbols.js';

/** @import { Command } from 'commander' */
/** @import { Profile } from './formats/formats.js' */
/** @import { Output } from './output.js' */
/** @import { SymbolFolder } from './symbols/symbol_finder.js' */
/** @import { TraceError } from './reading/trace_error.js' */

/** @typedef {{tables: SymbolFolder[], output?: string, format?: string, merge?: boolean, top: number, maxSize: number}} Options */

/** @typedef {(text: string) => void} Print to standard output */

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
    .addOption(
      new Option(
        '-o, --output <file>',
        `convert instead: ${OUTPUT_HELP}; with .gz after it gzipped; a folder: a file per trace`,
      ).argParser(onlyOne),
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
      const failures = new Failures(writeErr);
      const output = outputOrUsageError(paths, options, command);
      try {
        await report(paths, options, output, writeOut, failures);
      } catch (error) {
        failures.addText(/** @type {Error} */ (error).message);
      }
      if (!failures.finish()) process.exitCode = 1;
    });
}

/** @param {string} file @param {string | undefined} before */
function onlyOne(file, before) {
  if (before === undefined) return file;
  throw new InvalidArgumentError(`There is ${before} already: one file is written at a time.`);
}

/** @param {string[]} paths @param {Options} options @param {Command} command */
function outputOrUsageError(paths, { output, format }, command) {
  try {
    return outputOf(output, format, new InputIdentity(paths));
  } catch (error) {
    return command.error(`error: ${/** @type {Error} */ (error).message}`);
  }
}

/** @param {string[]} paths @param {Options} options @param {Output | null} output @param {Print} print @param {Failures} failures */
async function report(paths, options, output, print, failures) {
  const bar = progressBar(process.stderr);
  const onError = (/** @type {TraceError} */ error) => {
    bar.clear();
    failures.add(error);
  };
  const profiles = readAllProfiles(paths, { maxBytes: options.maxSize, onError, onProgress: bar.show });
  const finder = new SymbolFinder(options.tables);
  const symbolicated = options.tables.length > 0 ? withSymbols(profiles, finder) : profiles;
  const wanted = options.merge ? merged(symbolicated, failures) : symbolicated;
  if (output?.isFolder) {
    await writeEach(output, wanted, (problem) => {
      bar.clear();
      failures.addText(problem);
    });
  } else if (output) {
    const all = [];
    for await (const profile of wanted) all.push(profile);
    bar.clear();
    if (all.length > 0) await writeProfiles(output, all, process.stdout);
  } else {
    let hasMany = paths.length > 1 || isFolder(paths[0]);
    for await (const profile of wanted) {
      bar.clear();
      if (hasMany && !options.merge) print(`\n${printable(profile.name)}\n`);
      printTable(profile, options, print);
      hasMany = true;
    }
  }
  bar.clear();
  for (const problem of finder.broken) failures.addText(problem);
  for (const warning of finder.warnings()) failures.warn(warning);
}

/** @param {AsyncIterable<Profile>} profiles @param {Failures} failures @returns {AsyncGenerator<Profile>} one, or none of none */
async function* merged(profiles, failures) {
  const profile = await mergedProfile(profiles, failures);
  if (profile) yield profile;
}

/** What it took to merge is garbage before the result is written. @param {AsyncIterable<Profile>} profiles @param {Failures} failures */
async function mergedProfile(profiles, failures) {
  const merge = new MergedTrace();
  for await (const profile of profiles) {
    try {
      merge.add(profile);
    } catch (error) {
      failures.addText(`${profile.name}: ${/** @type {Error} */ (error).message}`);
    }
  }
  return merge.traces > 0 ? merge.profile(`${formatCount(merge.traces)} traces`) : null;
}

/** @param {Profile} profile @param {Options} options @param {Print} print */
function printTable({ trace, details }, { top }, print) {
  const { width, color } = terminal(process.stdout);
  print(formatTable(callTree(trace), { width, color, rows: top, losses: details?.losses }));
}
