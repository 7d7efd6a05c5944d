import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { callTree, readTrace } from '../report/index.js';
import { temporaryFolder } from './lib/children.js';
import { eachEngine } from './lib/each_engine.js';
import { instrumentedPages } from './lib/instrumented.js';

/** Of 55 ms. */
const ROUNDS = 120;

const { path: folder } = temporaryFolder();

for (const probe of /** @type {const} */ (['flag', 'shadow'])) {
  eachEngine(
    `with ${probe} probes, a trace of ours and one of the browser's, of the same run, have the same top ten`,
    {
      path: '/ranked.html',
      serve: { jsProfiling: true, folders: { '/': instrumentedPages(probe) } },
      only: ['chromium'],
    },
    async ({ page }) => {
      const { traces, mode, hottest } = await page.evaluate(async (rounds) => {
        const Native = globalThis.Profiler;
        polyprof.install({ force: true });
        const options = { sampleInterval: 10, maxBufferSize: 1e5 };
        const [native, ours] = [new Native(options), await performance.profile(options)];
        const hottest = runRanked(rounds);
        return { traces: { native: await native.stop(), ours: await ours.stop() }, mode: ours.mode, hottest };
      }, ROUNDS);
      assert.equal(mode, probe);
      for (const [name, trace] of Object.entries(traces)) {
        const file = join(folder, `${probe}-${name}.trace.json`);
        writeFileSync(file, JSON.stringify(trace));
        const { functions } = callTree(await readTrace(file));
        const told = functions.map(({ location, self }) => `${location.name} ${self}`).join(', ');
        const topTen = functions.slice(0, 10).map(({ location }) => location.name);
        assert.deepEqual(topTen.sort(), hottest, `${name}: ${told}`);
      }
    },
  );
}
