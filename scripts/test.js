import { parseArgs } from 'node:util';
import { failedTests, PARTS } from './lib/test_parts.js';
import { warmFirefox } from './lib/warm_firefox.js';
import { selectedEngines } from '../web-test/lib/browsers.js';

/**
 * npm test [-- --only <part>,... | --skip <part>,...]
 * Runs every selected part even when one fails, and ends with a table. Exit code 1 when a part failed.
 */

const { values } = parseArgs({ options: { only: { type: 'string' }, skip: { type: 'string' } } });
const only = names(values.only);
const skip = names(values.skip);
const selected = PARTS.filter(({ name }) => (only?.includes(name) ?? true) && !skip?.includes(name));

if (selectedEngines().includes('firefox') && selected.some(({ name }) => ['node', 'web'].includes(name)))
  warmFirefox();

/** @type {{name: string, what: string, failure: unknown, seconds: number}[]} */
const results = [];
for (const { name, what, run } of selected) {
  console.log(`\n=== ${name}: ${what}\n`);
  const begin = performance.now();
  const failure = await run().then(
    () => undefined,
    (error) => error,
  );
  results.push({ name, what, failure, seconds: (performance.now() - begin) / 1000 });
  if (failure) console.error(`\n${name} FAILED: ${failure.message}`);
}

console.log('\n=== summary\n');
for (const { name, what, failure, seconds } of results) {
  console.log(
    `${failure ? 'FAILED' : 'ok    '}  ${name.padEnd(8)}${seconds.toFixed(1).padStart(7)} s  ${what}`,
  );
}
if (selected.some(({ name }) => name === 'web')) console.log(`\nengines: ${selectedEngines().join(', ')}`);
const left = PARTS.filter((part) => !selected.includes(part)).map(({ name }) => name);
if (left.length > 0) console.log(`\nNOT RUN: ${left.join(', ')}`);
const reasons = failedTests.read();
failedTests.remove();
if (reasons) console.error(`\n=== tests that failed\n\n${reasons.trimEnd()}`);
const failed = results.filter(({ failure }) => failure);
if (failed.length > 0) {
  console.error(
    `\n${failed.length} of ${results.length} parts failed: ${failed.map(({ name }) => name).join(', ')}`,
  );
  process.exitCode = 1;
}

/** @param {string | undefined} list separated by commas @returns {string[] | undefined} */
function names(list) {
  const chosen = list?.split(',');
  for (const name of chosen ?? []) {
    if (!PARTS.some((part) => part.name === name)) {
      console.error(`no part is called ${name}: ${PARTS.map((part) => part.name).join(', ')}`);
      process.exit(2);
    }
  }
  return chosen;
}
