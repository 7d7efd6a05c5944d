import { launch } from '../../web-test/lib/browsers.js';
import { serve } from '../../web-test/lib/server.js';
import { hostLine } from '../lib/host.js';
import { count, engineNames, readOptions } from '../lib/options.js';
import { writeLines } from '../lib/results.js';
import { addRow, tableHead } from '../lib/table.js';

/**
 * How often `new Worker()` in a worker never returns, with nothing of polyprof in the page. Workers that take longer than 4 s are taken
 * for such.
 *
 * Writes bench/results/nested_workers.md.
 */

const TIMEOUT_MS = 4000;

const { engines, workers } = readOptions(
  'How often `new Worker()` in a worker never returns, with nothing of polyprof in the page.',
  {
    engines: engineNames(),
    workers: count('that start another one', 500),
  },
);

const overrides = {
  '/index.html': { body: '<!doctype html><title>Nested workers</title>' },
  '/outer.js': { body: `onmessage = () => { new Worker('/inner.js'); postMessage('returned'); };` },
  '/inner.js': { body: '' },
};
const server = await serve({ folders: {}, overrides });
const lines = [
  `${hostLine()}. Calls of \`new Worker()\`, each in a worker of its own, one after the other.`,
  '',
  ...tableHead(['engine', 'calls', 'never returned']),
];
for (const engine of engines) {
  const browser = await launch(engine);
  const page = await browser.open(server.url('/index.html'));
  let hung = 0;
  // One by one: no call is to wait for as long as they all take.
  for (let i = 0; i < workers; i++) if (!(await page.evaluate(`(${returns})(${TIMEOUT_MS})`))) hung++;
  await page.close();
  await browser.close();
  addRow(lines, [engine, String(workers), String(hung)]);
}
await server.close();
writeLines('nested_workers.md', lines);

/** Runs in the page. @param {number} ms @returns {Promise<boolean>} whether a worker made another one within that time */
function returns(ms) {
  return new Promise((resolve) => {
    const outer = new Worker('/outer.js');
    const settle = (/** @type {boolean} */ isMade) => {
      clearTimeout(timer);
      outer.terminate();
      resolve(isMade);
    };
    const timer = setTimeout(settle, ms, false);
    outer.onmessage = () => settle(true);
    outer.postMessage('');
  });
}
