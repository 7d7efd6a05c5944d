import { availableParallelism } from 'node:os';
import { basename } from 'node:path';
import { selectedEngines } from '../../web-test/lib/browsers.js';
import { runClangTidy } from './clang_tidy.js';
import { FailedTests } from './failed_tests.js';
import { filesIn } from './files.js';
import { run } from './run.js';

const CORES = availableParallelism();

/** Of those parts that Node's test runner does. */
export const failedTests = new FailedTests();

/** Files of web-test/ that are about the time that passes in pages: a browser that is busy beside theirs would show. */
const ALONE =
  'closing_page flag_probe jitter killed_worker late_ticks many_profilers self_timed shadow_probe stuck_page'.split(
    ' ',
  );

/** Files of web-test/ that take long: about how many seconds. The others take less than OTHERS_TAKE. @type {Record<string, number>} */
const TAKES = {
  workloads: 85,
  bundlers: 75,
  conformance: 72,
  run_command: 68,
  profile_page: 66,
  clients: 48,
  any_browser: 47,
  lifecycle: 41,
  hostile_page: 37,
  bad_input: 37,
  mozilla: 36,
  profiled_realms: 36,
  calibrate: 31,
  calibrated_page: 25,
  beacon: 30,
  report_formats: 27,
  api: 25,
  variants: 25,
  html_report: 22,
  workers: 22,
  hidden: 21,
  examples: 20,
  patched_prototypes: 19,
  policy_and_security: 18,
  harness: 17,
  isolated_by_us: 15,
  quiet_functions: 15,
};
const OTHERS_TAKE = 10;

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

async function runNodeTests() {
  const files = testsIn(['test', 'bench']);
  await run('node', ['--test', ...failedTests.reporters(), `--test-concurrency=${CORES}`, ...files]);
}

/** Those of ALONE one at a time, the others in as many processes as there are cores; in each of them the browsers are shared. */
async function runWebTests() {
  console.log(`ENGINES: ${selectedEngines().join(', ')} (POLYPROF_BROWSERS selects)\n`);
  const files = testsIn(['web-test']);
  const isAlone = (/** @type {string} */ file) => ALONE.includes(basename(file, '.test.js'));
  const lanes = lanesOf(files.filter((file) => !isAlone(file)));
  await eachInTurn([
    () => inParallel(lanes.map((lane) => () => runTogether(lane))),
    () => runTogether(files.filter(isAlone)),
  ]);
}

/** As many as there are cores; they take about the same time. @param {string[]} files @returns {string[][]} */
function lanesOf(files) {
  const seconds = (/** @type {string} */ file) => TAKES[basename(file, '.test.js')] ?? OTHERS_TAKE;
  const lanes = Array.from({ length: CORES }, () => ({ sum: 0, files: /** @type {string[]} */ ([]) }));
  for (const file of [...files].sort((a, b) => seconds(b) - seconds(a))) {
    const shortest = lanes.reduce((a, b) => (b.sum < a.sum ? b : a));
    shortest.sum += seconds(file);
    shortest.files.push(file);
  }
  return lanes.map((lane) => lane.files.sort());
}

/** @param {string[]} files of web-test/ */
async function runTogether(files) {
  await run('node', [...failedTests.reporters(), 'web-test/together.js', ...files]);
}
