import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { selectedEngines } from './lib/browsers.js';
import { temporaryFolder } from './lib/children.js';
import { FIREFOX } from './lib/firefox.js';

/** The examples of test runs, as their READMEs say. */

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const { path: home, release } = temporaryFolder();
after(release);

// Within the repository, so that `polyprof` is this one, and nothing is left in the examples.
const folder = join(ROOT, 'build', `examples-${process.pid}`);
mkdirSync(folder, { recursive: true });
cpSync(join(ROOT, 'examples'), folder, { recursive: true });
after(() => rmSync(folder, { recursive: true }));

/** @param {string} example @param {string} program @param {string[]} args @param {Record<string, string>} env @param {AbortSignal} [signal] */
const run = (example, program, args, env, signal) =>
  promisify(execFile)(program, args, {
    cwd: join(folder, example),
    env: { ...process.env, HOME: home, NODE_TEST_CONTEXT: undefined, ...env },
    signal,
  }).catch((error) => assert.fail(`${error.stdout}${error.stderr}`));

/** @param {string} example @param {string} text */
const readmeHas = (example, text) =>
  assert.ok(readFileSync(join(folder, example, 'README.md'), 'utf8').includes(text), text);

const PROGRAMS = { chrome: '/usr/bin/chromium', firefox: FIREFOX };

for (const engine of selectedEngines().filter((name) => name !== 'webkit')) {
  const browser = engine === 'firefox' ? 'firefox' : 'chrome';
  test(
    `${engine}: the example with Puppeteer passes, and writes trace and report`,
    { timeout: 120_000 },
    async () => {
      readmeHas('puppeteer', 'node --test primes.test.mjs');
      await run('puppeteer', process.execPath, ['--test', 'primes.test.mjs'], {
        BROWSER: browser,
        BROWSER_PATH: PROGRAMS[browser],
      });
      for (const suffix of ['trace.json', 'html']) {
        assert.ok(existsSync(join(folder, 'puppeteer/test-results', `primes-${browser}.${suffix}`)));
      }
    },
  );
}

if (selectedEngines().includes('chromium')) {
  test(
    'chromium: the example with Puppeteer ends also when its page is not as expected',
    { timeout: 120_000 },
    async ({ signal }) => {
      const passing = readFileSync(join(folder, 'puppeteer/primes.test.mjs'), 'utf8');
      writeFileSync(join(folder, 'puppeteer/failing.test.mjs'), passing.replace("'216816'", "'no primes'"));
      const env = { BROWSER_PATH: PROGRAMS.chrome };
      await assert.rejects(
        run('puppeteer', process.execPath, ['--test', 'failing.test.mjs'], env, signal),
        /Expected values to be strictly equal.*'216816'/s,
      );
    },
  );

  test(
    'chromium: the example with Playwright passes, and its results have trace and report',
    { timeout: 120_000 },
    async () => {
      readmeHas('playwright', 'npx playwright test');
      await run('playwright', join(ROOT, 'node_modules/.bin/playwright'), ['test'], {
        CHROME_PATH: PROGRAMS.chrome,
      });
      const [results] = readdirSync(join(folder, 'playwright/test-results')).filter((name) =>
        /^primes-/.test(name),
      );
      const files = readdirSync(join(folder, 'playwright/test-results', results), { recursive: true });
      assert.ok(files.includes('profile.trace.json') && files.includes('profile.html'), files.join());
    },
  );
}
