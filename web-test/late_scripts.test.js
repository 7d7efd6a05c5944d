import assert from 'node:assert/strict';
import { eachEngine } from './lib/each_engine.js';
import { instrumentedPages } from './lib/instrumented.js';
import { folded, selfShares } from './lib/trace.js';

const FLAG = '/flag/busy.js';
const SHADOW = '/shadow/busy.js';

const folders = { '/flag/': instrumentedPages(), '/shadow/': instrumentedPages('shadow') };
const path = '/flag/polyfill.html';

/**
 * Profiles what runs 200 ms after scripts were loaded one by one, the first ones before the session.
 * @param {import('./lib/browsers.js').Page} page
 * @param {{before?: string[], during: string[]}} scripts
 */
async function profileScripts(page, { before = [], during }) {
  return page.evaluate(
    async (before, during) => {
      polyprof.install({ force: true });
      const load = (src) =>
        new Promise((resolve, reject) => {
          const script = Object.assign(document.createElement('script'), { src });
          script.onload = resolve;
          script.onerror = reject;
          document.head.append(script);
        });
      for (const src of before) await load(src);
      const profiler = await performance.profile({ sampleInterval: 1 });
      const modeAtStart = profiler.mode;
      await new Promise((resolve) => setTimeout(resolve, 100));
      for (const src of during) await load(src);
      const begin = performance.now();
      // One call: where a machine stops the page for long, it is in this one.
      hotLoop(200);
      const end = performance.now();
      const trace = await profiler.stop();
      const { mode, losses } = profiler;
      return { modeAtStart, mode, unsampled: losses.unsampledScripts, trace, begin, end, losses };
    },
    before,
    during,
  );
}

eachEngine(
  'scripts with shadow probes that load after a session began are sampled, and there is a sample for each ms before them and after',
  { path, serve: { folders } },
  async ({ page }) => {
    for (let session = 0; session < 2; session++) {
      const { trace, begin, end, losses, ...told } = await profileScripts(page, { during: [SHADOW] });
      const modeAtStart = session === 0 ? 'flag' : 'shadow';
      assert.deepEqual(told, { modeAtStart, mode: 'shadow', unsampled: 0 });
      const during = trace.samples.filter(({ timestamp }) => timestamp > begin && timestamp < end);
      assert.ok(selfShares({ ...trace, samples: during }).hotLoop > 0.9, folded(trace));
      const before = trace.samples.filter(({ timestamp }) => timestamp <= begin);
      assert.ok(before.filter(({ stackId }) => stackId === undefined).length > 50, folded(trace));
      // Jitter moves each sample by a tenth of its ms at most, so the whole by less than one.
      const expected = trace.samples.at(-1).timestamp - trace.samples[0].timestamp + 1;
      const counted = trace.samples.length + losses.lostTicks + losses.workerlessTicks;
      assert.ok(Math.abs(counted - expected) < 2, `${counted} of ${expected}, ${JSON.stringify(losses)}`);
    }
  },
);

eachEngine(
  'scripts with shadow probes that load beside others with flag probes are counted, and the others sampled',
  { path, serve: { folders } },
  async ({ page }) => {
    const { trace, begin, end, mode, unsampled } = await profileScripts(page, {
      before: [FLAG],
      during: [SHADOW, FLAG],
    });
    assert.deepEqual([mode, unsampled], ['flag', 1]);
    // To load the scripts takes its time, in which the page is idle.
    const samples = trace.samples.filter(({ timestamp }) => timestamp > begin && timestamp < end);
    assert.ok(selfShares({ ...trace, samples }).hotLoop > 0.5, folded(trace));
  },
);

eachEngine(
  'scripts with flag probes in a page with shadow probes are counted, and the others sampled',
  { path, serve: { folders } },
  async ({ page }) => {
    const { trace, mode, unsampled } = await profileScripts(page, {
      before: [FLAG, SHADOW],
      during: [],
    });
    assert.deepEqual([mode, unsampled], ['shadow', 1]);
    assert.ok(selfShares(trace).hotLoop > 0.5, folded(trace));
  },
);

eachEngine(
  'without isolation, scripts with shadow probes that load after a session began are counted',
  { path, serve: { folders, isolated: false } },
  async ({ page }) => {
    const { trace, mode, unsampled } = await profileScripts(page, { during: [SHADOW] });
    assert.deepEqual([mode, unsampled], ['self-timed', 1]);
    assert.ok(trace.samples.length > 0);
    assert.deepEqual(trace.stacks, []);
  },
);

eachEngine(
  'a page that is hidden while its first script with shadow probes loads is sampled once it is shown',
  { path, serve: { folders } },
  async ({ page }) => {
    const trace = await page.evaluate(async (src) => {
      polyprof.install({ force: true });
      let isHidden = true;
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => isHidden });
      const profiler = await performance.profile({ sampleInterval: 1 });
      const script = Object.assign(document.createElement('script'), { src });
      await new Promise((resolve) => {
        script.onload = resolve;
        document.head.append(script);
      });
      hotLoop(50);
      isHidden = false;
      globalThis.shown = performance.now();
      document.dispatchEvent(new Event('visibilitychange'));
      hotLoop(100);
      return profiler.stop();
    }, SHADOW);
    const shown = await page.evaluate(() => globalThis.shown);
    assert.ok(
      trace.samples.every(({ timestamp }) => timestamp > shown - 2),
      `${trace.samples[0]?.timestamp} is before ${shown}`,
    );
    assert.ok(selfShares(trace).hotLoop > 0.9, folded(trace));
  },
);
