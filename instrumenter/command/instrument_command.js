import os from 'node:os';
import { Option } from 'commander';
import picomatch from 'picomatch';
import { notesOfBudget, notesOfGuess } from '../budget/budget_notes.js';
import { calibrating, isCalibrating } from '../budget/calibrating.js';
import { CALIBRATION_FILE, CalibrationError } from '../budget/calibration.js';
import { DEFAULT_BUDGET } from '../budget/decide.js';
import { loadCalibration } from '../budget/load_calibration.js';
import { defaultCacheFolder } from '../cache_folder.js';
import { distPath, PAGE_FILES } from '../files/dist_files.js';
import { DEFAULT_MIN_WEIGHTS, PROBE_KINDS } from '../options.js';
import { ResultCache } from '../result_cache.js';
import { sourceFilter } from '../sources/source_filter.js';
import { unusedPatterns } from '../sources/unused_patterns.js';
import { completeVariants } from '../variants/variant_options.js';
import { progressBar } from '../../report/terminal/progress_bar.js';
import { instrumentFiles } from './instrument_files.js';
import { collect, parseBudget, parseJobs, parseRate, parseWeight } from './option_values.js';
import { planFiles } from './plan_files.js';
import { printReport } from './print_report.js';
import { UsageError } from './usage_error.js';
import { makeWritableFolder } from './writable_folder.js';

const AFTER_OPTIONS = `
Globs are matched with paths relative to the output folder. Next to each script with probes its function table is
written, <script>.ppft; it has to be served with the script.

Examples: all of a built site but its libraries; what that would do
  polyprof instrument dist -o dist-profiled --exclude 'vendor/**' --exclude-source react-dom
  polyprof instrument dist --check

One session of a hundred gets scripts with probes, the others the scripts as they are
  polyprof instrument dist -o public --variants 0.01

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
    .option('-o, --output <folder>', 'folder to write to')
    .option('--polyfill', 'also copy polyprof.js, and what it loads, into the output folder')
    .option('--check', 'write nothing; say for each file what would be done')
    .addOption(new Option('--probe <kind>', 'kind of probe').choices(PROBE_KINDS).default('flag'))
    .option(
      '--min-weight <n>',
      `leave out functions with fewer statements, calls and loops than this; 0: none (default: ${DEFAULT_MIN_WEIGHTS.flag}, with shadow ${DEFAULT_MIN_WEIGHTS.shadow})`,
      parseWeight,
    )
    .option(
      '--budget <share>',
      `what probes may cost at most, such as 0.01 or 1%: leaves out what is called most for the time that it takes, by ${CALIBRATION_FILE} if that is there`,
      parseBudget,
    )
    .option(
      '--calibration <file>',
      `what polyprof calibrate wrote; budget ${DEFAULT_BUDGET} if none is given`,
    )
    .option('--include <glob>', 'instrument only files that match (repeatable)', collect)
    .option('--exclude <glob>', 'copy files that match as they are (repeatable)', collect)
    .option(
      '--include-source <pattern>',
      'only functions of these sources, by the source maps: names of packages, globs (repeatable)',
      collect,
    )
    .option('--exclude-source <pattern>', 'no functions of these sources (repeatable)', collect)
    .option('--source-map', 'write source maps also for scripts that come without one')
    .option(
      '--variants <rate>',
      'keep the scripts, write others with probes, and let pages choose: for this share of the sessions, 0 to 1',
      parseRate,
    )
    .option(
      '--parameter <name>',
      "of a page's address, that chooses: ?polyprof=probed or plain (default: polyprof)",
    )
    .addOption(new Option('--chooser <kind>', 'the script that chooses').choices(['inline', 'external']))
    .option('--nonce <text>', 'of the script that chooses (default: that of the script after it)')
    .option('--jobs <n>', 'scripts to do at the same time', parseJobs, os.availableParallelism())
    .option('--cache <folder>', 'where results are kept (default: node_modules/.cache/polyprof)')
    .option('--no-cache', 'do all scripts anew')
    .addHelpText('after', AFTER_OPTIONS)
    .action(run);
}

/**
 * @param {string[]} inputs
 * @param {{output?: string, polyfill?: boolean, check?: boolean, probe: string, minWeight?: number, include?: string[], exclude?: string[],
 *   includeSource?: string[], excludeSource?: string[], sourceMap?: boolean, budget?: number, calibration?: string, variants?: number, parameter?: string, chooser?: string, nonce?: string, jobs: number,
 *   cache?: string | false}} options
 */
async function run(
  inputs,
  { output, polyfill = false, check = false, probe, sourceMap = false, ...options },
) {
  if (output === undefined && !check) {
    throw new UsageError(
      "required option '-o, --output <folder>' not specified (or --check, to write nothing)",
    );
  }
  const { include = [], exclude = [], includeSource = [], excludeSource = [], jobs: threads } = options;
  const variants = variantSettings(options);
  const calibration = calibrationOf(options);
  const { files, notes } = planFiles(
    inputs,
    check ? null : String(output),
    polyfill ? PAGE_FILES.map(distPath) : [],
  );
  if (!check) makeWritableFolder(String(output));
  // What sends its counts to one calibration's address is nothing for later runs.
  const cacheFolder =
    options.cache === false || isCalibrating() ? null : (options.cache ?? defaultCacheFolder());
  const cache = new ResultCache(cacheFolder, calibration);
  const bar = progressBar(process.stderr);
  const report = await instrumentFiles(files, {
    probe,
    minWeight: options.minWeight ?? DEFAULT_MIN_WEIGHTS[probe],
    budget: options.budget,
    calibration,
    sourceMap,
    selects: sourceFilter({ include, exclude }, fileMatcher),
    sources: { include: includeSource, exclude: excludeSource },
    variants: isCalibrating() ? undefined : variants,
    threads,
    cache,
    check,
    onProgress: bar.show,
    ...calibrating(),
  }).finally(bar.clear);
  report.notes.push(
    ...notes,
    ...notesOfBudget(options.budget),
    ...notesOfGuess({ budget: options.budget, calibration, ...calibrating() }),
    ...unusedPatterns(
      { '--include': include, '--exclude': exclude },
      files.map(({ name }) => name),
      'file',
      fileMatcher,
    ),
    ...unusedPatterns(
      { '--include-source': includeSource, '--exclude-source': excludeSource },
      report.sources,
      'source',
    ),
  );
  printReport(report, check ? null : String(output), calibration);
  if (polyfill) {
    const copied = check ? 'would be copied, too' : `are in ${output}`;
    console.log(`polyprof.js and ${PAGE_FILES.length - 1} more files that pages load ${copied}`);
  }
  if (report.errors.length > 0) process.exitCode = 1;
}

/**
 * @param {{variants?: number, parameter?: string, chooser?: string, nonce?: string}} options
 * @throws {UsageError}
 */
function variantSettings({ variants: sampleRate, parameter, chooser, nonce }) {
  const more = Object.entries({ parameter, chooser, nonce }).filter(([, value]) => value !== undefined);
  if (sampleRate === undefined) {
    if (more.length > 0) throw new UsageError(`--${more[0][0]} is for --variants <rate>, which is not there`);
    return undefined;
  }
  try {
    return completeVariants({ sampleRate, ...Object.fromEntries(more) });
  } catch (error) {
    const { message } = /** @type {TypeError} */ (error);
    throw new UsageError(message.replace('variants.sampleRate', '--variants').replace('variants.', '--'));
  }
}

/** @param {{calibration?: string, budget?: number}} options */
function calibrationOf({ calibration, budget }) {
  try {
    return loadCalibration(process.cwd(), { calibration, budget });
  } catch (error) {
    if (error instanceof CalibrationError) throw new UsageError(error.message);
    throw error;
  }
}

/** @param {string} glob @returns {(name: string) => boolean} */
function fileMatcher(glob) {
  return picomatch(glob, { dot: true });
}
