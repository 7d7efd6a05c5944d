import { launch } from '../../web-test/lib/browsers.js';
import { FOLDERS } from '../../web-test/lib/folders.js';
import { serve } from '../../web-test/lib/server.js';
import { median } from '../lib/statistics.js';

/** @import { EngineName } from '../../web-test/lib/browsers.js' */

/**
 * @typedef {object} Form of the same functions
 * @property {string} code of a script that sets `__loops`: by name, functions that make so many calls
 * @property {boolean} [isModule]
 * @property {string} [baseline] name of the form that it is compared with; by default the first one
 * @property {number} [interval] ms between samples; without, nothing is profiled
 * @property {boolean} [worker] false: self-timed
 */

/** Nanoseconds per call. @typedef {Record<string, number>} Times by loop */

/**
 * Each form runs in a page of its own, turn by turn.
 * @param {EngineName} engine
 * @param {Record<string, Form>} forms the first one has no probes
 * @param {Record<string, number>} loops calls by name
 * @param {number} runs
 * @returns {Promise<Map<string, {own: Times, more: Times, spread: Times}>>} by form: what a call takes, medians of all runs; what it takes more than in the
 *   form's baseline, median of what it was run by run, and half of the distance between the quartiles of that
 */
export async function timeForms(engine, forms, loops, runs) {
  const browser = await launch(engine, { quiet: true });
  /** @type {Map<string, Times[]>} */
  const times = new Map(Object.keys(forms).map((name) => [name, []]));
  for (let run = 0; run < runs; run++) {
    for (const [name, form] of Object.entries(forms)) {
      const server = await serveForm(form);
      const page = await browser.open(server.url('/index.html'));
      times.get(name)?.push(await page.evaluate(timeCalls, loops, form.interval ?? 0, form.worker ?? true));
      await page.close();
      await server.close();
    }
  }
  await browser.close();
  const [plain] = times.keys();
  const names = Object.keys(loops);
  return new Map(
    [...times].map(([name, all]) => {
      const baseline = times.get(forms[name].baseline ?? plain) ?? [];
      const more = (/** @type {string} */ loop) => all.map((each, i) => each[loop] - baseline[i][loop]);
      const by = (/** @type {(loop: string) => number} */ of) =>
        Object.fromEntries(names.map((loop) => [loop, of(loop)]));
      return [
        name,
        {
          own: by((loop) => median(all.map((each) => each[loop]))),
          more: by((loop) => median(more(loop))),
          spread: by((loop) => halfQuartileDistance(more(loop))),
        },
      ];
    }),
  );
}

/** @param {number[]} values @returns {number} */
function halfQuartileDistance(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  return half === 0 ? 0 : (median(sorted.slice(-half)) - median(sorted.slice(0, half))) / 2;
}

/** @param {Form} form */
function serveForm({ code, isModule = false }) {
  const type = isModule ? ' type="module"' : '';
  const body = `<!doctype html><title>loops</title><link rel="icon" href="data:,"><script src="/dist/polyprof.js"></script><script${type} src="loops.js"></script>`;
  const overrides = {
    '/index.html': { body },
    '/loops.js': { body: code },
    '/loops.js.ppft': { body: Buffer.from('') },
  };
  return serve({ folders: { '/dist/': FOLDERS['/dist/'] }, overrides });
}

/**
 * Runs in the page.
 * @param {Record<string, number>} loops calls by name
 * @param {number} interval 0: nothing is profiled
 * @param {boolean} worker samples
 * @returns {Promise<Times>}
 */
async function timeCalls(loops, interval, worker) {
  const page = /** @type {any} */ (globalThis);
  let profiler;
  if (interval) {
    page.polyprof.install({ force: true, worker });
    profiler = await page.performance.profile({ sampleInterval: interval });
  }
  const time = (/** @type {(calls: number) => number} */ work, /** @type {number} */ calls) => {
    for (let i = 0; i < 3; i++) work(calls / 50);
    // What disturbs a loop makes it slower, never faster: the fastest of many is what the code takes.
    let fastest = Infinity;
    for (let part = 0; part < 400; part++) {
      const start = performance.now();
      work(calls / 400);
      fastest = Math.min(fastest, performance.now() - start);
    }
    return (fastest * 400 * 1e6) / calls;
  };
  const result = Object.fromEntries(
    Object.entries(loops).map(([name, calls]) => [name, time(page.__loops[name], calls)]),
  );
  await profiler?.stop();
  return result;
}
