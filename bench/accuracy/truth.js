import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';
import { instrumentedPages } from '../../web-test/lib/instrumented.js';
import { launch, selectedEngines } from '../../web-test/lib/browsers.js';
import { FOLDERS } from '../../web-test/lib/folders.js';
import { profileGroundTruth } from '../../web-test/lib/ground_truth.js';
import { serve } from '../../web-test/lib/server.js';
import { sleepingWorker } from '../../web-test/lib/sleeping_worker.js';
import { selfShares } from '../../web-test/lib/trace.js';
import { chosen, positive } from '../lib/options.js';

/**
 * How far profiles are from what is known: the largest error of any function of the page that measures itself, in points, and the
 * leaf's share of a loop that calls it, which takes twice as long as the rest of the loop.
 *
 *     node bench/accuracy/truth.js [--runs N] [--ms N] [--asleep MS] [--busy N] [--modes a,b]
 *
 * With --asleep the worker sleeps for so long after every tenth wait, as on a machine that has no processor for it: those ticks are late.
 * With --busy so many other processes do not leave the processors alone.
 * Engines are those of POLYPROF_BROWSERS.
 */

/** @type {Record<string, {probe: 'flag' | 'shadow', isolated: boolean}>} */
const MODES = {
  flag: { probe: 'flag', isolated: true },
  'self-timed': { probe: 'flag', isolated: false },
  shadow: { probe: 'shadow', isolated: true },
};

const { values } = parseArgs({
  options: Object.fromEntries(
    ['runs', 'ms', 'asleep', 'busy', 'modes'].map((name) => [name, { type: 'string' }]),
  ),
});
const runs = positive('--runs', values.runs ?? '3');
const ms = positive('--ms', values.ms ?? '8000');
const modes = chosen('--modes', values.modes, Object.keys(MODES));
const others = values.busy ? positive('--busy', values.busy) : 0;
for (let i = 0; i < others; i++) {
  const other = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
  other.unref();
  process.on('exit', () => other.kill());
}
const overrides = values.asleep ? sleepingWorker(positive('--asleep', values.asleep)) : {};

console.log(
  '| engine | mode | largest error, points | late ticks, % | unlocated ticks, % | leaf, % |\n|---|---|---|---|---|---|',
);
for (const engine of selectedEngines()) {
  for (const mode of modes) {
    const { probe, isolated } = MODES[mode];
    const errors = [];
    const late = [];
    const unlocated = [];
    const leaves = [];
    const folder = instrumentedPages(probe);
    const server = await serve({ folders: { ...FOLDERS, '/': folder }, isolated, overrides });
    const browser = await launch(engine);
    for (let run = 0; run < runs; run++) {
      const truthful = await browser.open(server.url('/ground_truth.html'));
      const { trace, truth, wall, losses } = await profileGroundTruth(truthful, ms);
      await truthful.close();
      const shares = selfShares(trace);
      const differences = Object.entries(truth).map(([name, time]) =>
        Math.abs((shares[name] ?? 0) - Number(time) / wall),
      );
      errors.push((100 * Math.max(...differences)).toFixed(1));
      unlocated.push(((100 * losses.unlocatedTicks) / trace.samples.length).toFixed(0));
      late.push(((100 * losses.lateTicks) / trace.samples.length).toFixed(1));

      const tight = await browser.open(server.url('/tight.html'));
      const leafTrace = await tight.evaluate(async () => {
        const page = /** @type {any} */ (globalThis);
        page.polyprof.install({ force: true });
        page.callsLeaf(3e6);
        const profiler = await page.performance.profile({ sampleInterval: 1 });
        page.callsLeaf(5e7);
        return profiler.stop();
      });
      await tight.close();
      leaves.push((100 * selfShares(leafTrace).leaf).toFixed(0));
    }
    await browser.close();
    await server.close();
    console.log(
      `| ${engine} | ${mode} | ${errors.join(', ')} | ${late.join(', ')} | ${unlocated.join(', ')} | ${leaves.join(', ')} |`,
    );
  }
}
