import fs from 'node:fs';
import path from 'node:path';
import { InvalidArgumentError } from 'commander';
import { CALIBRATION_VARIABLE } from '../budget/calibrating.js';
import { CALIBRATION_FILE, writeCalibration } from '../budget/calibration.js';
import { calibrateCommand } from '../calibrate/calibrate_command_line.js';
import { calibratePage } from '../calibrate/calibrate_page.js';
import { WorkloadError } from '../calibrate/workload_error.js';
import { writeFileAtomically } from '../files/write_file.js';
import { findBrowser } from '../serving/find_browser.js';
import { ISOLATED, serveFolder } from '../serving/serve_folder.js';
import { UsageError } from './usage_error.js';

const AFTER_OPTIONS = `
A page is visited twice in a headless Chromium: once with counting scripts, once under the browser's CPU profiler. The page is the
site's as it is without probes. A command is run once, with ${CALIBRATION_VARIABLE} set: the builds in it, by polyprof's plugins or
\`polyprof instrument\`, put counting probes in, and the pages it opens report what they count. Put its options behind --.

Examples: a built site; a server that runs; the tests of a project
  polyprof calibrate dist --run 'runBenchmark()'
  polyprof calibrate http://localhost:5173/ --seconds 20
  polyprof calibrate -- sh -c 'vite build && playwright test'

Exit status: 0; 1 if the workload failed, and nothing was written; 2 if the command was not understood`;

/**
 * `polyprof calibrate`.
 * @param {import('commander').Command} program
 */
export function registerCalibrate(program) {
  program
    .command('calibrate')
    .description('count the calls of a workload, for instrument --budget')
    .argument('<target...>', 'a URL, an HTML file, a folder with one, or a command')
    .option('-o, --output <file>', 'file to write', CALIBRATION_FILE)
    .option(
      '--run <expression>',
      'evaluated in the loaded page; the workload ends when its promise is settled',
    )
    .option(
      '--seconds <n>',
      'without --run: how long the page is left alone after it has loaded',
      parseSeconds,
      5,
    )
    .option(
      '--browser <program>',
      'the Chromium to use (default: that of CHROME_PATH, or the first one on the PATH)',
    )
    .addHelpText('after', AFTER_OPTIONS)
    .action(run);
}

/**
 * @param {string[]} target
 * @param {{output: string, run?: string, seconds: number, browser?: string}} options
 */
async function run(target, options) {
  const page = target.length === 1 ? pageOf(target[0]) : null;
  try {
    const calibration = page ? await ofPage(page, options) : await ofCommand(target);
    writeFileAtomically(path.resolve(options.output), writeCalibration(calibration));
    console.log(summaryOf(calibration, options.output));
  } catch (error) {
    if (!(error instanceof WorkloadError)) throw error;
    console.error(`error: ${error.message}; nothing was written`);
    process.exitCode = 1;
  }
}

/**
 * @param {string} target
 * @returns {{url?: string, site: string, page: string} | null} null: a command
 * @throws {UsageError} if it looks like a page and is none
 */
function pageOf(target) {
  if (/^https?:\/\//.test(target)) return { url: target, site: process.cwd(), page: '' };
  const stat = fs.statSync(target, { throwIfNoEntry: false });
  if (stat?.isDirectory()) {
    if (!fs.existsSync(path.join(target, 'index.html')))
      throw new UsageError(`${target} has no index.html: name the page`);
    return { site: path.resolve(target), page: '' };
  }
  if (/\.html?$/i.test(target)) {
    if (!stat) throw new UsageError(`no such file or folder: ${target}`);
    return { site: path.resolve(path.dirname(target)), page: path.basename(target) };
  }
  if (stat && path.extname(target) !== '' && !(stat.mode & 0o111)) {
    throw new UsageError(`${target} is neither a page nor a folder nor a program`);
  }
  return null;
}

/** @param {NonNullable<ReturnType<typeof pageOf>>} page @param {{run?: string, seconds: number, browser?: string}} options */
async function ofPage({ url, site, page }, { run, seconds, browser }) {
  const program = browser ?? findBrowser('chromium');
  if (!program)
    throw new UsageError(
      'no Chromium is on the PATH: install one, or name one with --browser or CHROME_PATH',
    );
  const server = url ? null : await serveFolder(site, ISOLATED);
  try {
    const address = url ?? `${server?.origin}/${encodeURIComponent(page)}`;
    const { calibration, notes } = await calibratePage(
      program,
      { url: address, run, seconds },
      { root: process.cwd(), site, onStep: (what) => console.error(`${what} …`) },
    );
    for (const note of notes) console.error(`note: ${note}`);
    return calibration;
  } catch (error) {
    if (/** @type {any} */ (error).syscall?.startsWith('spawn')) {
      throw new UsageError(`${program} does not start: ${/** @type {Error} */ (error).message}`);
    }
    throw error;
  } finally {
    await server?.close();
  }
}

/** @param {string[]} command */
async function ofCommand(command) {
  let outcome;
  try {
    outcome = await calibrateCommand(command);
  } catch (error) {
    if (!(/** @type {any} */ (error).syscall?.startsWith('spawn'))) throw error;
    throw new UsageError(
      `${command[0]} is no page, no folder and no program: ${/** @type {Error} */ (error).message}`,
    );
  }
  const { calibration, status } = outcome;
  if (status !== 0) throw new WorkloadError(`the command ended with status ${status}`);
  if (!calibration) {
    throw new WorkloadError(
      'no page has reported calls: does the command build with polyprof, and open what it built?',
    );
  }
  return calibration;
}

/** @param {import('../budget/calibration.js').Calibration} calibration @param {string} file */
function summaryOf({ sources, busyMs, selfTime }, file) {
  const functions = Object.values(sources).flat();
  const calls = functions.reduce((sum, [, , count]) => sum + count, 0);
  const sorted = functions.map(([, , count]) => count).sort((a, b) => b - a);
  const top = sorted.slice(0, Math.ceil(functions.length / 25));
  const topCalls = top.reduce((sum, count) => sum + count, 0);
  const lines = [
    `${functions.length} functions were called ${calls.toLocaleString('en')} times in ${(busyMs / 1000).toFixed(1)} s (${selfTime}); ` +
      `${top.length} of them made ${((100 * topCalls) / calls).toFixed(0)} % of the calls`,
    `written to ${file}: now build with budget: 0.01, or polyprof instrument --budget 0.01`,
  ];
  return lines.join('\n');
}

/** @param {string} text @returns {number} */
function parseSeconds(text) {
  const seconds = Number(text);
  if (!(seconds >= 0 && seconds <= 3600) || text.trim() === '') {
    throw new InvalidArgumentError('It must be a number of seconds, 0 to 3600.');
  }
  return seconds;
}
