import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
// @ts-expect-error It has no types of its own.
import Test262Stream from 'test262-stream';
import { PROBED } from './forms.js';
import { REFUSED } from './outcome.js';

/** @import { Test262 } from './outcome.js' */

/**
 * Do the programs of test262 do the same with probes in all their functions?
 *
 *     node test/test262/run.js <checkout of test262> [folder or file in it]...
 *
 * Each test runs plain and with each kind of probe; all have to end alike, also where Node itself does not pass the test. What looks at functions' text
 * may differ, as the same test does where nothing but that text is another (a known limit, docs/probes.md). `refused`: a program that our parser does not
 * take. `crashed`: Node does, in any form. Exit status 1 if anything differs for another reason.
 */

const WORKER = fileURLToPath(new URL('worker.js', import.meta.url));
const FOLDERS = ['test/language', 'test/built-ins', 'test/annexB', 'test/staging'];

/** Other threads, which this host has not. */
const NEEDS_AGENTS = 'atomicsHelper.js';

const [folder, ...only] = process.argv.slice(2);
if (!folder || !existsSync(join(folder, 'harness'))) {
  console.error(
    `${folder ?? 'Nothing'}: not a checkout of test262, which has a folder \`harness\`. node test/test262/run.js <checkout> [folder or file in it]...`,
  );
  process.exit(1);
}
const checkout = resolve(folder);
const tests = testsIn(only.length > 0 ? only : FOLDERS.filter((each) => existsSync(join(checkout, each))));
const counts = { same: 0, 'text of functions': 0, refused: 0, crashed: 0, different: 0 };
await Promise.all(Array.from({ length: availableParallelism() }, runTests));
console.log(Object.entries(counts).map(([what, count]) => `${what}: ${count}`).join(', ')); // prettier-ignore
process.exit(counts.different > 0 ? 1 : 0);

/** @param {string[]} paths @returns {AsyncGenerator<Test262>} */
async function* testsIn(paths) {
  for await (const test of new Test262Stream(checkout, { paths, omitRuntime: true })) {
    const { flags, includes } = test.attrs;
    // Modules are strict; a second run would be the same.
    const isTwice = flags.module && test.scenario === 'strict mode';
    if (isTwice || flags.CanBlockIsFalse || includes.includes(NEEDS_AGENTS)) continue;
    yield test;
  }
}

/** As many as there are processors take the tests from one list. */
async function runTests() {
  let worker = startWorker();
  for await (const test of tests) {
    const outcomes = await answerOf(worker, test);
    if (!outcomes) worker = startWorker();
    count(test, outcomes);
  }
  worker.disconnect();
}

function startWorker() {
  return fork(WORKER, { execArgv: ['--experimental-vm-modules', '--no-warnings'] });
}

/** @param {import('node:child_process').ChildProcess} worker @param {Test262} test @returns {Promise<Record<string, string> | undefined>} undefined: it ended */
async function answerOf(worker, test) {
  const answered = new AbortController();
  const { signal } = answered;
  worker.send({ test, checkout });
  try {
    const [outcomes] = await Promise.race([
      once(worker, 'message', { signal }),
      once(worker, 'exit', { signal }).then(() => []),
    ]);
    return outcomes;
  } finally {
    answered.abort();
  }
}

/** @param {Test262} test @param {Record<string, string> | undefined} outcomes by form; undefined: the process ended */
function count({ file, scenario, attrs: { negative } }, outcomes) {
  const what = outcomes ? kindOf(outcomes, negative?.phase === 'parse') : 'crashed';
  counts[what]++;
  if (what === 'same' || what === 'text of functions') return;
  console.log(`${what}: ${file} (${scenario})${outcomes ? ` ${JSON.stringify(outcomes)}` : ''}`);
}

/** @param {Record<string, string>} outcomes @param {boolean} isWrong it is no program, and need not run @returns {keyof typeof counts} */
function kindOf(outcomes, isWrong) {
  const others = PROBED.map((name) => outcomes[name]).filter((outcome) => outcome !== outcomes.plain);
  if (others.length === 0) return 'same';
  if (others.every((outcome) => outcome === REFUSED))
    return isWrong || outcomes.plain === 'SyntaxError' ? 'same' : 'refused';
  return outcomes.text === outcomes.plain ? 'different' : 'text of functions';
}
