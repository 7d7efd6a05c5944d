import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { listFunctions } from '../instrumenter/budget/list_functions.js';
import { temporaryFolder } from './lib/children.js';
import { eachEngine } from './lib/each_engine.js';
import { folded, selfShares } from './lib/trace.js';

/** Functions whose probes are within a budget only where a worker samples. */

const CLI = fileURLToPath(new URL('../instrumenter/cli.js', import.meta.url));
const { path: folder, release } = temporaryFolder();
after(release);

/** `tiny` writes to memory: arithmetic alone, V8 moves behind the check that the function leaves by (docs/hook.md). */
const SOURCE = `
const cells = new Int32Array(32);
function tiny(x) { for (let i = 0; i < 20; i++) x = cells[i] = (Math.imul(x, 31) + cells[31 - i]) | 0; return x }
function loop(n) { let sum = 0; for (let i = 0; i < n; i++) sum += tiny(sum + i); return sum }
function other(n) { let sum = 0; for (let i = 0; i < 32 * n; i++) sum = (Math.imul(sum, 31) + i) | 0; return sum }
function work(ms) {
  let sum = 0;
  for (const end = performance.now() + ms; performance.now() < end; ) sum += loop(1000) + other(1000);
  return sum;
}
async function profileWork(ms) {
  polyprof.install({ force: true });
  const profiler = await performance.profile({ sampleInterval: 1 });
  work(ms);
  return { mode: profiler.mode, trace: await profiler.stop() };
}`;

const CALLS = { tiny: 1_500_000, loop: 1500, other: 1500, work: 1 };

/** @returns {string} folder of the page, with a budget of 1 % */
function build() {
  const site = join(folder, 'site');
  mkdirSync(site);
  writeFileSync(join(site, 'work.js'), SOURCE);
  writeFileSync(
    join(site, 'index.html'),
    '<!doctype html><title>work</title><script src="/dist/polyprof.js"></script><script src="work.js"></script>',
  );
  const functions = listFunctions(SOURCE, { file: 'work.js', sourceMap: false })
    .filter(({ key: { name } }) => name in CALLS)
    .map(({ key: { name, shape } }) => [
      name,
      shape,
      CALLS[/** @type {keyof typeof CALLS} */ (name)],
      250_000,
    ]);
  const calibration = { version: 1, selfTime: 'measured', busyMs: 1000, sources: { 'work.js': functions } };
  writeFileSync(join(folder, 'calibration.json'), JSON.stringify(calibration));
  const options = ['-o', 'probed', '--budget', '1%', '--calibration', 'calibration.json', '--no-cache'];
  execFileSync(process.execPath, [CLI, 'instrument', 'site', ...options], { cwd: folder, stdio: 'pipe' });
  return join(folder, 'probed');
}

const folders = { '/': build() };

for (const [isolated, mode] of /** @type {const} */ ([
  [true, 'flag'],
  [false, 'self-timed'],
])) {
  eachEngine(
    isolated
      ? 'where a worker samples, functions within the budget are seen, however often they are called'
      : 'without isolation, the time of what is called too often for the budget is its caller’s',
    { path: '/index.html', serve: { folders, isolated } },
    async ({ page }) => {
      const outcome = await page.evaluate('profileWork(2000)');
      assert.equal(outcome.mode, mode);
      const shares = selfShares(outcome.trace);
      const inLoop = (shares.loop ?? 0) + (shares.tiny ?? 0);
      const message = folded(outcome.trace);
      assert.ok(inLoop > 0.25 && inLoop < 0.9 && (shares.other ?? 0) > 0.1, message);
      if (isolated) assert.ok((shares.tiny ?? 0) > 0.05, message);
      else assert.ok(!('tiny' in shares), message);
    },
  );
}
