import { appendFileSync } from 'node:fs';

/**
 * What nobody caught. Node's runner ends with exit code 1 when it belongs to a test that has passed already, but counts no failure and shows no stack.
 * @type {Set<unknown>}
 */
const uncaught = new Set();
process.on('uncaughtExceptionMonitor', (error) => uncaught.add(error));
process.on('unhandledRejection', (reason) => uncaught.add(reason));
process.on('exit', () => {
  for (const reason of uncaught) write('after the end of a test', reason);
});

/**
 * A reporter of Node's test runner: which tests failed, and why, and nothing else. Suites that failed by their tests are left out.
 * It adds to the file that FAILED_TESTS names: a destination of the runner is cut off where `--test-force-exit` ends the process.
 * @param {AsyncIterable<{type: string, data: any}>} events
 */
export default async function* failedTests(events) {
  for await (const { type, data } of events) {
    if (type !== 'test:fail') continue;
    const { error } = data.details;
    if (error.failureType === 'subtestsFailed') continue;
    uncaught.delete(error.cause);
    write(data.name, error.cause ?? error);
  }
  yield '';
}

/** @param {string} title @param {any} reason */
function write(title, reason) {
  const text = String(reason?.stack ?? reason?.message ?? reason);
  appendFileSync(String(process.env.FAILED_TESTS), `✖ ${title}\n${text.replace(/^/gm, '  ')}\n\n`);
}
