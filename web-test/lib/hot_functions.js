import assert from 'node:assert/strict';
import { checkTrace } from '../../report/reading/check_trace.js';
import { SymbolFinder } from '../../report/symbols/symbol_finder.js';
import { symbolicate } from '../../report/symbols/symbolicate.js';
import { onTime } from './on_time.js';
import { folded, framesOf } from './trace.js';

/** The hot functions of the app in fixtures/bundled_app, and where they are defined. */
const HOT = [
  { name: 'isPrime', file: /(^|\/)src\/primes\.js$/, line: 10 },
  { name: 'digitSum', file: /(^|\/)src\/lazy\.js$/, line: 8 },
];

/**
 * Profiles the app: its hot functions have most of the time, under their original names, files and lines, and nothing of the
 * polyfill appears.
 * @param {import('./browsers.js').Page} page at the app
 * @param {Record<string, number>} [shifts] lines by which files have grown at their beginning
 */
export async function assertHotFunctions(page, shifts = {}) {
  // A worker that is late charges a whole turn of the app to one look.
  const { trace } = await onTime(() =>
    page.evaluate(async () => {
      const global = /** @type {any} */ (globalThis);
      while (!global.runApp) await new Promise((resolve) => requestAnimationFrame(resolve));
      global.polyprof.install({ force: true, policy: 'self' });
      await global.runApp(50);
      const profiler = await global.performance.profile({ sampleInterval: 1 });
      await global.runApp(800);
      return { trace: await profiler.stop(), losses: profiler.losses };
    }),
  );

  const servers = new Set(trace.resources.map((/** @type {string} */ resource) => new URL(resource).origin));
  const finder = new SymbolFinder([...servers].map((folder) => ({ folder })));
  const symbols = new Map();
  for (const resource of trace.resources) symbols.set(resource, await finder.find(resource));
  assert.deepEqual([...finder.broken, ...finder.warnings()], []);
  const original = symbolicate(checkTrace(trace), (resource) => symbols.get(resource));

  const busy = original.samples.filter(({ stackId }) => stackId !== undefined);
  assert.ok(busy.length > 100, `${busy.length} samples`);
  for (const { name, file, line: before } of HOT) {
    const line = before + (shifts[Object.keys(shifts).find((each) => file.test(`src/${each}`)) ?? ''] ?? 0);
    const mine = busy.filter(({ stackId }) => {
      const [leaf] = framesOf(/** @type {any} */ (original), stackId);
      const resource = original.resources[leaf.resourceId ?? -1] ?? '';
      return leaf.name === name && file.test(resource) && leaf.line === line;
    });
    const text = `${name} at line ${line}\n${folded(/** @type {any} */ (original))}\n${JSON.stringify(original.frames)}${original.resources}`;
    assert.ok(mine.length / busy.length > 0.05, text);
  }
  assert.ok(
    !original.resources.some((resource) => /polyprof-runtime|polyfill\//.test(resource)),
    original.resources.join(),
  );
}
