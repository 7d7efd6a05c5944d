/**
 * A reporter of Node's test runner: which tests failed, and why, and nothing else. Suites that failed by their tests are left out.
 * @param {AsyncIterable<{type: string, data: any}>} events
 */
export default async function* failedTests(events) {
  for await (const { type, data } of events) {
    if (type !== 'test:fail') continue;
    const { error } = data.details;
    if (error.failureType === 'subtestsFailed') continue;
    const { stack, message } = error.cause ?? error;
    yield `✖ ${data.name}\n${indented(stack ?? message ?? String(error.cause))}\n\n`;
  }
}

/** @param {string} text */
function indented(text) {
  return text.replace(/^/gm, '  ');
}
