import assert from 'node:assert/strict';
import { onTime } from './on_time.js';
import { folded, framesOf } from './trace.js';

/** In which the machine had a processor for the page, ms. */
const LONGEST_CALL = 25;

/**
 * Profiles the page with two inline scripts: both functions get their time, at their places in the page.
 * @param {import('./browsers.js').Page} page at inline.html
 */
export async function assertInlineScripts(page) {
  const { trace, calls, html } = await onTime(() =>
    page.evaluate(async () => {
      const page = /** @type {any} */ (globalThis);
      page.polyprof.install({ force: true });
      const profiler = await page.performance.profile({ sampleInterval: 1 });
      const calls = [];
      for (let i = 0; i < 40; i++) {
        for (const name of ['inlineHot', 'inlineSecond']) {
          const begin = performance.now();
          page[name](5);
          calls.push({ name, begin, end: performance.now() });
        }
      }
      const html = await (await fetch(location.href)).text();
      return { trace: await profiler.stop(), losses: profiler.losses, calls, html };
    }),
  );
  const spent = { inlineHot: 0, inlineSecond: 0 };
  const sampled = { inlineHot: 0, inlineSecond: 0 };
  for (const { begin, end, name } of calls) {
    if (end - begin > LONGEST_CALL) continue;
    spent[/** @type {keyof typeof spent} */ (name)] += end - begin;
    for (const { timestamp, stackId } of trace.samples) {
      const leaf = framesOf(trace, stackId)[0]?.name;
      if (timestamp > begin && timestamp <= end && leaf in sampled) {
        sampled[/** @type {keyof typeof spent} */ (leaf)]++;
      }
    }
  }
  const shareOf = (/** @type {typeof spent} */ { inlineHot, inlineSecond }) =>
    inlineHot / (inlineHot + inlineSecond);
  const message = `${JSON.stringify({ spent, sampled })}\n${folded(trace)}`;
  assert.ok(Math.abs(shareOf(sampled) - shareOf(spent)) < 0.1, message);
  const lines = html.split('\n');
  for (const name of ['inlineHot', 'inlineSecond']) {
    const { line, column } = trace.frames.find((/** @type {any} */ frame) => frame.name === name);
    assert.ok(
      lines[line - 1].slice(0, column - 1).endsWith(`function ${name}`),
      `${name} at ${line}:${column}`,
    );
  }
}
