import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { instrument } from '../../instrumenter/instrument.js';
import { FOLDERS } from '../../web-test/lib/folders.js';
import { serve } from '../../web-test/lib/server.js';
import { selfShares } from '../../web-test/lib/trace.js';
import { launchProfiled, OWN_PROFILERS } from '../engine_profilers/launch_profiled.js';
import { outFolder } from '../lib/folders.js';
import { hostLine } from '../lib/host.js';
import { engineNames, positive, readOptions } from '../lib/options.js';
import { writeLines } from '../lib/results.js';
import { addRow, tableHead } from '../lib/table.js';
import { probedOnly } from './probed_only.js';

/**
 * What stores to memory that is not in the cache do to profiles: two functions of equal arithmetic take turns, and the first one ends with some stores. Its share
 * of the samples, when these go to the cache and when they don't, by each kind of probes and by the engine's own profiler in the same run.
 *
 * Writes bench/results/cold_stores.md.
 */

const PAGE = fileURLToPath(new URL('cold_stores_page/', import.meta.url));
const SCRIPT = 'cold_stores.js';
/** Which bytes are written to: those of a few lines, and those of 64 MiB. */
const MASKS = { cached: 2 ** 10 - 1, 'not cached': 2 ** 26 - 1 };

const { engines, ms } = readOptions('What stores to memory that is not in the cache do to profiles.', {
  engines: engineNames(),
  ms: positive('of each page', 4000, 'ms'),
});

const lines = [
  `${hostLine()}. Share of the first of two functions of equal arithmetic, whose last act are stores; the engine's own profiler`,
  'watches the same run.',
  '',
  ...tableHead(['engine', 'memory', 'probes', 'one turn, ns', 'share, %', 'by its own profiler, %']),
];
for (const engine of engines) {
  for (const [memory, mask] of Object.entries(MASKS)) {
    for (const probe of /** @type {const} */ (['flag', 'shadow'])) {
      const { server, table } = await servePage(probe);
      const { browser, takeTrace } = await launchProfiled(engine, server.url('/dist/polyprof-chooser.js'));
      const page = await browser.open(server.url('/'));
      const { trace, ns } = await page.evaluate(`profileTurns(${mask}, ${ms})`);
      await page.close();
      const own = probedOnly(takeTrace(trace.samples[0].timestamp, trace.samples.at(-1).timestamp), table);
      const share = (/** @type {import('../../report/reading/check_trace.js').ProfilerTrace} */ seen) => {
        const { scatter = 0, reckon = 0 } = selfShares(seen);
        return ((100 * scatter) / (scatter + reckon)).toFixed(0);
      };
      addRow(lines, [
        engine,
        memory,
        probe,
        ns.toFixed(0),
        share(trace),
        `${OWN_PROFILERS[engine]} ${share(own)}`,
      ]);
      await browser.close();
      await server.close();
    }
  }
}
writeLines('cold_stores.md', lines);

/** @param {'flag' | 'shadow'} probe */
async function servePage(probe) {
  const folder = join(outFolder('cold_stores'), probe);
  mkdirSync(folder, { recursive: true });
  const { code, table, tableName } = instrument(readFileSync(join(PAGE, SCRIPT), 'utf8'), {
    file: SCRIPT,
    probe,
  });
  if (!table) throw new Error(`${SCRIPT} got no probes`);
  writeFileSync(join(folder, SCRIPT), code);
  writeFileSync(join(folder, tableName), table);
  copyFileSync(join(PAGE, 'index.html'), join(folder, 'index.html'));
  const folders = { '/': folder, '/dist/': FOLDERS['/dist/'] };
  return { server: await serve({ folders, jsProfiling: true }), table };
}
