import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { instrument } from '../../instrumenter/instrument.js';

/**
 * A package's own tests, run against it as it is and with probes in all its functions: they have to say the same.
 *
 * @typedef {object} OwnTests
 * @property {string} name of the package
 * @property {string[]} [tests] files of tests in it, each run by node; default: those in `test/`, or `test.js`
 */

/** Raises the flag for good, counts the checks that see it, and says at the end how many those were. */
const HOOK = fileURLToPath(new URL('./counting_hook.cjs', import.meta.url));

const NO_CODE =
  /(^|\/)(test|tests|node_modules|bench|example|examples)(\/|$)|\.min\.js$|(^|\/)(test|example|gulpfile|\.eslintrc)\.js$/;

/**
 * @param {OwnTests} suite
 * @param {string} modules the `node_modules` that it and its tests' dependencies are in
 * @param {string} work folder for copies, inside a folder from which the dependencies are found
 * @returns {{tests: number, lines: number, checks: number, probed: number}} `lines`: that the tests wrote; `checks`: that saw the flag
 * @throws {Error} if the tests fail, or say something else with probes
 */
export function compareOwnTests({ name, ...suite }, modules, work) {
  const { tests = testsOf(path.join(modules, name)) } = suite;
  const folder = path.join(work, 'node_modules', name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(path.dirname(folder), { recursive: true });
  cpSync(path.join(modules, name), folder, { recursive: true });
  const run = (/** @type {string} */ test, /** @type {string[]} */ more = []) =>
    spawnSync(process.execPath, [...more, test], { cwd: folder, encoding: 'utf8' });

  const plain = tests.map((test) => run(test));
  for (const [index, { status, stdout, stderr }] of plain.entries()) {
    if (status !== 0) throw new Error(`${name}: ${tests[index]} fails without probes\n${stdout}${stderr}`);
  }
  let lines = 0;
  let checks = 0;
  let probed = 0;
  for (const probe of ['flag', 'shadow']) {
    probed = instrumentFolder(folder, path.join(modules, name), probe);
    for (const [index, before] of plain.entries()) {
      const after = run(tests[index], ['--require', HOOK]);
      const text = verdicts(after.stdout);
      if (after.status !== 0 || text !== verdicts(before.stdout)) {
        throw new Error(
          `${name}: ${tests[index]} says something else with ${probe} probes\n${after.stdout}${after.stderr}`,
        );
      }
      lines += text.split('\n').length;
      checks += Number(/polyprof checks: (\d+)/.exec(after.stderr)?.[1] ?? 0);
    }
  }
  return { tests: tests.length, lines, checks, probed };
}

/** @param {string} folder of a package @returns {string[]} */
function testsOf(folder) {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files.filter((file) => /^(test|test\/[^/]+)\.js$/.test(file) && !file.endsWith('-cases.js')).sort();
}

/** @param {string} folder of a copy @param {string} from where the original is @param {string} probe @returns {number} functions with probes */
function instrumentFolder(folder, from, probe) {
  let probed = 0;
  for (const name of readdirSync(from, { recursive: true, encoding: 'utf8' })) {
    if (!/\.[cm]?js$/.test(name) || NO_CODE.test(name)) continue;
    const code = readFileSync(path.join(from, name), 'utf8');
    const result = instrument(code, { file: name, probe, minWeight: 0, sourceMap: false });
    writeFileSync(path.join(folder, name), result.code);
    probed += result.summary.probed;
  }
  return probed;
}

/** @param {string} text that tests wrote @returns {string} what they say of each case, without what their authors print; or all of it */
function verdicts(text) {
  if (!text.startsWith('TAP version')) return text;
  return text
    .split('\n')
    .filter((line) => /^\s*(not )?ok\b|^# (tests|pass|fail)/.test(line))
    .join('\n');
}
