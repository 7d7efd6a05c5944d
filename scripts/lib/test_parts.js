import { availableParallelism } from 'node:os';
import { basename } from 'node:path';
import { selectedEngines } from '../../web-test/lib/browsers.js';
import { runClangTidy } from './clang_tidy.js';
import { FailedTests } from './failed_tests.js';
import { filesIn } from './files.js';
import { run } from './run.js';
import { Stages } from './stages.js';

const CORES = availableParallelism();

/** Of those parts that Node's test runner does. */
export const failedTests = new FailedTests();

/** Files of web-test/ in which nearly every sample has to be on time: a browser that is busy beside theirs would show. */
const ALONE = ['true_shares'];

/** Others that are about the time that passes in pages: builds, and browsers that start, would show beside them, a page would not. */
const TIMED =
  'shadow_probe stuck_page closing_page self_timed killed_worker flag_probe late_ticks large_closing_page jitter many_profilers same_top_ten'.split(
    ' ',
  );

/** Files of web-test/ that take longest, and come first: so all processes end at about the same time. */
const LONGEST =
  'workloads bundlers conformance run_command profile_page any_browser beacon mozilla clients lifecycle hostile_page'.split(
    ' ',
  );

/** Those of the tests without a browser. */
const LONGEST_IN_NODE = 'workloads real_packages overhead random_programs bundler_plugin package'.split(' ');

/**
 * @typedef {object} Part of `npm test`
 * @property {string} name for --only and --skip
 * @property {string} what
 * @property {() => Promise<unknown>} run rejects when the part fails
 */

/** In the order of running: what is quick and fails often comes first. @type {Part[]} */
export const PARTS = [
  { name: 'format', what: 'format of all sources', run: checkFormat },
  { name: 'lint', what: 'ESLint', run: () => run('eslint', ['.', '--max-warnings=0']) },
  { name: 'types', what: 'types of JSDoc comments', run: checkTypes },
  { name: 'tidy', what: 'clang-tidy', run: runClangTidy },
  { name: 'native', what: "the core's unit tests", run: () => runPreset('native') },
  { name: 'asan', what: "the core's unit tests under sanitizers", run: () => runPreset('asan') },
  { name: 'tsan', what: "the core's tests with threads under ThreadSanitizer", run: () => runPreset('tsan') },
  { name: 'node', what: 'tests without a browser', run: runNodeTests },
  { name: 'web', what: 'tests in real browsers', run: runWebTests },
];

function checkFormat() {
  const sources = filesIn(['runtime', 'wasm', 'test', 'bench'], /\.(cpp|h)$/);
  return runAll([
    ['prettier', '--check', '--log-level=warn', '.'],
    ['clang-format', '--dry-run', '-Werror', ...sources],
  ]);
}

function checkTypes() {
  const configs = ['tsconfig.json', 'tsconfig.page.json', 'tsconfig.worker.json'];
  return runAll(configs.map((config) => ['tsc', '--project', config]));
}

/** In parallel. @param {string[][]} commands */
function runAll(commands) {
  return inParallel(
    commands.map(
      ([program, ...args]) =>
        () =>
          run(program, args),
    ),
  );
}

/** Goes on after a failure; rejects with the first one. @param {(() => Promise<unknown>)[]} tasks */
async function eachInTurn(tasks) {
  /** @type {unknown[]} */
  const failures = [];
  for (const task of tasks) await task().catch((error) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

/** Rejects with the first failure when all have ended. @param {(() => Promise<unknown>)[]} tasks */
async function inParallel(tasks) {
  const outcomes = await Promise.allSettled(tasks.map((task) => task()));
  const failed = outcomes.find(({ status }) => status === 'rejected');
  if (failed) throw /** @type {PromiseRejectedResult} */ (failed).reason;
}

/** @param {string} preset of CMakePresets.json, for configure, build and test */
async function runPreset(preset) {
  await run('cmake', ['--preset', preset], { quiet: true });
  await run('cmake', ['--build', '--preset', preset], { quiet: true });
  const options = ['--output-on-failure', '--no-tests=error', '--parallel', String(CORES)];
  await run('ctest', ['--preset', preset, ...options]);
}

/** @param {string[]} folders @returns {string[]} */
function testsIn(folders) {
  const files = filesIn(folders, /\.test\.js$/);
  if (files.length === 0) throw new Error(`no tests in ${folders.join(', ')}`);
  return files;
}

/** In as many processes as there are cores. */
async function runNodeTests() {
  const [longest, rest] = byNames(testsIn(['test', 'bench']), [LONGEST_IN_NODE]);
  await runInLanes('test/together.js', [[...longest, ...rest]], CORES);
}

/** In as many processes as there are cores, but those of ALONE; in each process the browsers are shared. */
async function runWebTests() {
  console.log(`ENGINES: ${selectedEngines().join(', ')} (POLYPROF_BROWSERS selects)\n`);
  const [longest, timed, alone, rest] = byNames(testsIn(['web-test']), [LONGEST, TIMED, ALONE]);
  await eachInTurn([
    () => runInLanes('web-test/together.js', [[...longest, ...rest], timed], CORES),
    () => runInLanes('web-test/together.js', [alone], 1),
  ]);
}

/** @param {string[]} files of tests @param {string[][]} lists of names @returns {string[][]} the files of each list, in its order, and all others */
function byNames(files, lists) {
  const chosen = lists.map((names) =>
    names.flatMap((name) => files.filter((file) => basename(file, '.test.js') === name)),
  );
  const named = new Set(chosen.flat());
  return [...chosen, files.filter((file) => !named.has(file))];
}

/** A file takes five minutes at most, on slow machines; one that hangs is not to take all the time that there is. */
const FILE_PATIENCE_MS = 12 * 60_000;

/** @param {string} program that asks for one file after the other @param {string[][]} files in stages @param {number} processes */
function runInLanes(program, files, processes) {
  const stages = new Stages(files, processes);
  // A test whose time was up never came to where it closes what it opened.
  const { args, env } = failedTests.reporters();
  const command = ['--test-force-exit', ...args, program];
  const lane = () =>
    run('node', command, { env, answer: () => stages.next(), patienceMs: FILE_PATIENCE_MS }).finally(() =>
      stages.leave(),
    );
  return inParallel(Array.from({ length: processes }, () => lane));
}
