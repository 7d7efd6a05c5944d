import assert from 'node:assert/strict';
import { folded, selfShares } from './trace.js';

/**
 * Profiles the page with two inline scripts: both functions get their time, at their places in the page.
 * @param {import('./browsers.js').Page} page at inline.html
 */
export async function assertInlineScripts(page) {
  const { trace, html } = await page.evaluate(async () => {
    const page = /** @type {any} */ (globalThis);
    page.polyprof.install({ force: true });
    const profiler = await page.performance.profile({ sampleInterval: 1 });
    for (let i = 0; i < 40; i++) {
      page.inlineHot(5);
      page.inlineSecond(5);
    }
    const html = await (await fetch(location.href)).text();
    return { trace: await profiler.stop(), html };
  });
  const shares = selfShares(trace);
  assert.ok(shares.inlineHot > 0.3 && shares.inlineSecond > 0.3, folded(trace));
  const lines = html.split('\n');
  for (const name of ['inlineHot', 'inlineSecond']) {
    const { line, column } = trace.frames.find((/** @type {any} */ frame) => frame.name === name);
    assert.ok(
      lines[line - 1].slice(0, column - 1).endsWith(`function ${name}`),
      `${name} at ${line}:${column}`,
    );
  }
}
