import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { speedscope } from '../report/formats/speedscope.js';
import { traceOf } from '../test/report/traces.js';
import { eachEngine } from './lib/each_engine.js';

const release = dirname(createRequire(import.meta.url).resolve('speedscope/dist/release/index.html'));

const file = speedscope([
  {
    name: 'first',
    trace: traceOf(['main@a.js:1:5;hot@b.js:7:3', 'main@a.js:1:5;hot@b.js:7:3', 'main@a.js:1:5', '']),
  },
  { name: 'second', trace: traceOf(['main@a.js:1:5', 'main@a.js:1:5']) },
]);

eachEngine(
  'speedscope itself opens our files, with the names and times of all functions',
  {
    only: ['chromium'],
    // Its own page, which may load what its server says.
    path: '/speedscope/index.html#profileURL=/profile.json&view=sandwich',
    serve: {
      folders: { '/speedscope/': release },
      overrides: { '/profile.json': { body: file, headers: { 'Content-Type': 'application/json' } } },
    },
  },
  async ({ page }) => {
    const rows = await page.evaluate(async () => {
      const read = () =>
        [...document.querySelectorAll('tr')].map((row) => [...row.cells].map((cell) => cell.textContent));
      // It draws its tables one after the other; that of the functions is the last.
      for (;;) {
        if (read().some((cells) => cells.includes('main'))) return read();
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
    });
    assert.deepEqual(rows, [
      ['#', 'Name', 'Total Weight'],
      ['1', 'first', '30.00ms'],
      ['2', 'second', '20.00ms'],
      ['Total', 'Self', 'Symbol Name'],
      ['20.00ms (67%)', '20.00ms (67%)', 'hot'],
      ['30.00ms (100%)', '10.00ms (33%)', 'main'],
    ]);
  },
);
