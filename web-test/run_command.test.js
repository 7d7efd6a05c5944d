import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import puppeteer from 'puppeteer-core';
import { generate } from 'selfsigned';
import { openOnLoopback } from '../instrumenter/serving/loopback.js';
import { readTrace } from '../report/reading/read_trace.js';
import { openByPuppeteer, openPage } from '../testing/run/open_page.js';
import { startDisplay } from '../testing/run/webkit_driver.js';
import { changeResults } from '../test/lib/change_results.js';
import { selectedEngines } from './lib/browsers.js';
import { temporaryFolder } from './lib/children.js';
import { serveProfiledSite } from './lib/profiled_site.js';
import { children, renderers } from './lib/processes.js';
import { runCommand } from './lib/run_command.js';
import { onTime } from './lib/on_time.js';
import { serveSiteOfManyParts, PARTS_SAY } from './lib/site_of_many_parts.js';
import { selfShares } from './lib/trace.js';

/** `polyprof run`, as its users start it. */

const EXAMPLE = fileURLToPath(new URL('../examples/run/', import.meta.url));
const { path: folder, release } = temporaryFolder();
const site = await serveProfiledSite();
const secure = await serveSecurely({
  '/': ['text/html', '<!doctype html><title>Secure</title><script src="/app.js"></script>'],
  '/app.js': [
    'text/javascript',
    `function secret() { const end = performance.now() + 300; while (performance.now() < end); }
     setInterval(secret, 320);`,
  ],
});
after(async () => {
  await site.close();
  await secure.close();
  release();
});

/** @param {string[]} args @param {Partial<Parameters<typeof runCommand>[1]>} [options] */
const run = (args, options) => runCommand(args, { cwd: folder, env: { HOME: folder }, ...options });

for (const engine of selectedEngines()) {
  test(`${engine}: the example of polyprof run shows where its time goes`, { timeout: 120_000 }, async () => {
    const readme = readFileSync(join(EXAMPLE, 'README.md'), 'utf8');
    const [, command] = /** @type {RegExpExecArray} */ (/^npx polyprof run (.*)$/m.exec(readme));
    const { output, trace, out } = await onTime(async () => {
      const out = mkdtempSync(join(folder, `example-${engine}-`));
      const { status, output } = await run([...command.split(' '), '--browser', engine, '-o', out], {
        cwd: EXAMPLE,
      });
      assert.equal(status, 0, output);
      const { trace, losses } = JSON.parse(readFileSync(join(out, 'profile.trace.json'), 'utf8'));
      // Mostly the page idles: what is late is a share of the rest.
      const busy = trace.samples.filter((/** @type {any} */ { stackId }) => stackId !== undefined);
      return { output, trace: { ...trace, samples: busy }, out, losses };
    }, 0.15);
    assert.match(output, /^ +\d+\.\d +\d+\.\d +[\d,]+ +isPrime +primes\.js:/m);
    assert.match(output, /found 216816/, 'the script saw the page');
    const shares = selfShares(trace);
    assert.ok(shares.isPrime > 0.6, output);
    assert.match(readFileSync(join(out, 'profile.html'), 'utf8'), /isPrime/);
  });
}

// The others are in profile_page.test.js.
if (selectedEngines().includes('webkit')) {
  test('webkit: a served site is profiled across its pages', { timeout: 120_000 }, async () => {
    const flow = join(folder, 'flow.mjs');
    writeFileSync(
      flow,
      `export default async (page) => {
        await page.click('a');
        for (const title = () => document.title; (await page.evaluate(title).catch(() => '')) !== 'second'; );
        console.log('cookie:', await page.evaluate(() => document.cookie));
      };`,
    );
    const out = join(folder, 'site');
    const { status, output } = await run([
      site.origin,
      '--browser',
      'webkit',
      '--no-isolate',
      '--script',
      flow,
      '-o',
      out,
    ]);
    assert.equal(status, 0, output);
    assert.match(output, /cookie: visited=yes/);
    assert.match(output, /inBundle +app\/src\/bundle\.ts:2/);
    const trace = /** @type {any} */ (await readTrace(join(out, 'profile.trace.json')));
    const inBundle = selfShares(trace).inBundle * trace.samples.length;
    assert.ok(inBundle > 250, `${inBundle} samples: both pages are there\n${output}`);
  });
}

// The others are in isolated_by_us.test.js.
for (const engine of selectedEngines().filter((name) => name === 'webkit')) {
  test(
    `${engine}: workers of all kinds run, and frames show what they would, of another site, too, in the page of polyprof run`,
    { timeout: 120_000 },
    async () => {
      const manyParts = await serveSiteOfManyParts();
      const flow = join(folder, 'parts.mjs');
      writeFileSync(
        flow,
        `export default async (page) =>
        console.log('parts: ' + (await page.evaluate(() => parts().then((said) => JSON.stringify(said)))));`,
      );
      const out = join(folder, `parts-${engine}`);
      const args = [manyParts.origin, '--browser', engine, '--script', flow, '--min-weight', '0', '-o', out];
      const { status, output } = await run(args);
      await manyParts.close();
      assert.equal(status, 0, output);
      assert.deepEqual(JSON.parse(/parts: (.*)/.exec(output)?.[1] ?? ''), PARTS_SAY);
    },
  );
}

test('what cannot work is told, and nothing is started', async () => {
  writeFileSync(join(folder, 'nothing.mjs'), 'export const flow = 1;');
  writeFileSync(join(folder, 'broken.mjs'), 'export default (page) => {\n  page.click(;\n};');
  writeFileSync(join(folder, 'throws.mjs'), '\nnull.x;\nexport default () => {};');
  const cases = /** @type {[string[], RegExp][]} */ ([
    [['missing.html'], /no file missing\.html/],
    [[folder], /no index\.html/],
    [[site.origin, '--script', 'missing.mjs'], /--script: there is no file missing\.mjs/],
    [[site.origin, '--script', 'nothing.mjs'], /nothing\.mjs must export a function/],
    [[site.origin, '--script', 'broken.mjs'], /broken\.mjs cannot be loaded: line 2: SyntaxError: .+\n$/],
    [[site.origin, '--script', 'throws.mjs'], /throws\.mjs cannot be loaded: line 2: TypeError: .+\n$/],
    [[site.origin, '--browser', 'netscape'], /Allowed choices are chromium, firefox, webkit, any/],
    [[site.origin, '--probe', 'shadow', '--no-isolate'], /'shadow' needs pages that are isolated/],
    [[site.origin, '--interval', 'often'], /must be a number/],
    [[site.origin, '--repeat', '0.5'], /must be a whole number of at least 1/],
    [[site.origin, '--headed'], /there is no display here: DISPLAY is not set/],
  ]);
  const check = async (/** @type {[string[], RegExp]} */ [args, message]) => {
    const { status, output } = await run(args);
    assert.equal(status, 2, output);
    assert.match(output, message);
  };
  await Promise.all(cases.map(check));
});

for (const engine of selectedEngines()) {
  test(
    `${engine}: a page with a certificate that nobody vouches for is profiled if that is wanted, also with shadow probes from its beginning on, and else it is told how`,
    { timeout: 120_000 },
    async () => {
      const out = join(folder, `secure-${engine}`);
      const visit = [secure.origin, '--browser', engine, '--seconds', '1', '-o', out];
      const args = [...visit, '--probe', 'shadow', '--min-weight', '0'];
      const refused = await run(args);
      assert.equal(refused.status, 1, refused.output);
      assert.match(refused.output, /^--ignore-https-errors opens the page all the same\.$/m);
      assert.ok(!existsSync(out));
      const { status, output } = await run([...args, '--ignore-https-errors']);
      assert.equal(status, 0, output);
      assert.match(output, /shadow sampling each 1 ms/);
      const trace = /** @type {any} */ (await readTrace(join(out, 'profile.trace.json')));
      assert.ok(selfShares(trace).secret * trace.samples.length > 250, output);
    },
  );
}

for (const engine of selectedEngines()) {
  test(
    `${engine}: with --headed the browser shows, and is recorded until Enter is pressed`,
    { timeout: 120_000 },
    async () => {
      const { status, output } = await runHeaded(engine, ({ stdin }) => stdin.write('\n'));
      assert.equal(status, 0, output);
      assert.match(output, /inBundle +app\/src\/bundle\.ts:2/);
    },
  );

  // WebKit's driver tells nobody.
  if (engine !== 'webkit')
    test(`${engine}: a browser that is gone ends its recording`, { timeout: 120_000 }, async () => {
      const { status, output } = await runHeaded(engine, ({ pid }) => {
        for (const browser of children(Number(pid))) process.kill(browser);
      });
      assert.equal(status, 1, output);
      assert.match(output, /^error: the page ended before its profile was taken/m);
    });
}

/**
 * @param {string} engine
 * @param {(child: import('node:child_process').ChildProcessWithoutNullStreams) => void} act when the page is recorded
 */
async function runHeaded(engine, act) {
  const display = await startDisplay();
  const args = [site.origin, '--browser', engine, '--headed', '-o', mkdtempSync(join(folder, 'headed-'))];
  let isRecording = false;
  const outcome = await run(args, {
    env: { DISPLAY: display.name },
    onOutput(output, child) {
      if (isRecording || !/press Enter/.test(output)) return;
      isRecording = true;
      act(child);
    },
  });
  display.release();
  return outcome;
}

if (selectedEngines().includes('chromium')) {
  test(
    'chromium, Puppeteer: no page of the browser’s own stays beside the one that is recorded',
    { timeout: 20_000 },
    async ({ signal }) => {
      const { page, close } = await openByPuppeteer(puppeteer, '/usr/bin/chromium', {
        browser: 'chromium',
        headed: false,
      });
      await page.goto('data:text/html,<p>recorded</p>');
      // That of the blank page before it ends a little later.
      const { pid } = page.browser().process();
      const isIdle = () => new Promise((resolve) => requestIdleCallback(resolve));
      while (renderers(pid).length > 1 && !signal.aborted) await page.evaluate(isIdle);
      await close();
    },
  );

  test('chromium: a page may take longer to load than a driver has patience by itself', async () => {
    const { page, close } = await openPage({ browser: 'chromium', headed: false });
    // Nothing public tells, and no test is to wait for so long.
    const patience = page._timeoutSettings._defaultNavigationTimeout;
    await close();
    assert.ok(patience > 60_000, `${patience} ms`);
  });

  test('chromium: a page that is closed leaves what was recorded', { timeout: 120_000 }, async () => {
    writeFileSync(
      join(folder, 'closes.mjs'),
      `export default async (page) => {
        const closed = new Promise((resolve) => page.once('close', resolve));
        await page.close({ runBeforeUnload: true });
        await closed;
      };`,
    );
    const out = join(folder, 'closed');
    const { status, output } = await run([site.origin, '--script', 'closes.mjs', '-o', out]);
    assert.equal(status, 0, output);
    assert.match(output, /^note: the page was closed/m);
    assert.match(output, /inBundle +app\/src\/bundle\.ts:2/);
  });
}

/** @param {Record<string, [type: string, body: string]>} files */
async function serveSecurely(files) {
  const altNames = [{ type: /** @type {const} */ (7), ip: '127.0.0.1' }];
  const { private: key, cert } = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
    extensions: [{ name: 'subjectAltName', altNames }],
  });
  const server = https.createServer({ key, cert }, ({ url }, response) => {
    const [type, body] = files[url ?? ''] ?? ['text/plain', ''];
    response.setHeader('Content-Type', type);
    response.end(body);
  });
  const { port, close } = await openOnLoopback(server);
  return { origin: `https://127.0.0.1:${port}`, close };
}

const [engine] = selectedEngines();
test(
  `${engine}: with --repeat each run has a trace, and all of them a table and a report; older traces beside them are told`,
  { timeout: 120_000 },
  async () => {
    const out = mkdtempSync(join(folder, 'repeated-'));
    writeFileSync(join(out, 'profile-7.trace.json'), '{}');
    const args = ['--browser', engine, '--seconds', '0.2', '-o', out];
    const { status, output } = await run([site.origin, ...args, '--repeat', '2']);
    assert.equal(status, 0, output);
    const shares = ['profile', 'profile-2'].map((name) => {
      const { trace } = JSON.parse(readFileSync(join(out, `${name}.trace.json`), 'utf8'));
      return selfShares(trace).inBundle * trace.samples.length;
    });
    assert.match(output, /run 2 of 2: .*profile-2\.trace\.json\n/);
    assert.match(output, /sampling each 1 ms, 2 runs\n/);
    const [, both] = /^ +[\d.]+ +[\d.]+ +(\d+) +inBundle/m.exec(output) ?? [];
    assert.equal(Number(both), Math.round(shares[0] + shares[1]), output);
    assert.ok(Number(both) > 250, output);
    assert.match(output, /^note: polyprof diff takes these .*: \S*profile-7\.trace\.json$/m);
    assert.match(readFileSync(join(out, 'profile.html'), 'utf8'), /inBundle/);
    assert.ok(!existsSync(join(out, 'profile-2.html')));
  },
);

test(
  `${engine}: a script that is as it was has its probes already in the next run`,
  { timeout: 120_000 },
  async () => {
    const cwd = mkdtempSync(join(folder, 'project-'));
    const kept = join(cwd, 'node_modules/.cache/polyprof');
    mkdirSync(join(cwd, 'node_modules'));
    writeFileSync(
      join(cwd, 'flow.mjs'),
      `export default async (page) => console.log('kept:', await page.evaluate('globalThis.isKept'));`,
    );
    const args = [site.origin, '--browser', engine, '--script', 'flow.mjs'];
    const first = await run(args, { cwd });
    assert.match(first.output, /^kept: undefined$/m);
    changeResults(kept, ({ result }) => (result.code += '\n;globalThis.isKept = true;'));
    const second = await run(args, { cwd });
    assert.match(second.output, /^kept: true$/m);
    assert.match(second.output, / inBundle +app\/src\/bundle\.ts:2/);
  },
);

test(
  `${engine}: a script that fails makes the exit code 1, and leaves the profile`,
  { timeout: 120_000 },
  async () => {
    writeFileSync(join(folder, 'fails.mjs'), `export default () => { throw new Error('no such button'); };`);
    const out = join(folder, 'failed');
    const args = [site.origin, '--browser', engine, '--script', 'fails.mjs', '-o', out];
    const { status, output } = await run(args);
    assert.equal(status, 1, output);
    assert.match(output, /error: no such button/);
    assert.ok(existsSync(join(out, 'profile.html')));
  },
);
