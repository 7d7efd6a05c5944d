import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { DRAFT, WICG } from './conformance/requirements.js';
import { tableOf } from './conformance/table.js';
import { BUILDS } from './lib/builds.js';
import { eachEngine } from './lib/each_engine.js';
import { instrumentedPages } from './lib/instrumented.js';

/** @import { Requirement } from './conformance/requirements.js' */

const folders = { '/': instrumentedPages() };
const path = '/conformance.html';

/**
 * @param {import('./lib/browsers.js').Page} page
 * @param {Requirement[]} requirements
 * @returns {Promise<Map<Requirement, string>>} those that do not hold, and why
 */
async function failing(page, requirements) {
  const failures = new Map();
  for (const requirement of requirements) {
    const check = `({ ${/^(async )?check\(/.test(String(requirement.check)) ? '' : 'check: '}${requirement.check} }).check()`;
    await page.evaluate(check).catch((error) => failures.set(requirement, error.message));
  }
  return failures;
}

/** @param {Map<Requirement, string>} failures */
function listOf(failures) {
  return [...failures].map(([{ section, statement }, why]) => `${section}: ${statement}: ${why}`);
}

for (const { name, serve } of BUILDS) {
  eachEngine(`with ${name}, both texts hold`, { path, serve }, async ({ page }) => {
    await page.evaluate(() => polyprof.install({ force: true }));
    assert.deepEqual(listOf(await failing(page, [...WICG, ...DRAFT])), []);
  });
}

eachEngine(
  "Chromium's own Profiler passes the same checks but for the differences listed",
  { path, serve: { folders, jsProfiling: true }, only: ['chromium'] },
  async ({ page }) => {
    const failures = await failing(page, WICG);
    const expected = WICG.filter(({ native }) => native);
    assert.deepEqual(
      new Set([...failures.keys()].map(({ statement }) => statement)),
      new Set(expected.map(({ statement }) => statement)),
      listOf(failures).join('\n'),
    );
  },
);

test('docs/conformance.md has the table of these checks', () => {
  const page = readFileSync(new URL('../docs/conformance.md', import.meta.url), 'utf8');
  for (const requirements of [WICG, DRAFT]) {
    assert.ok(page.includes(tableOf(requirements)), 'node web-test/conformance/table.js prints it');
  }
});
