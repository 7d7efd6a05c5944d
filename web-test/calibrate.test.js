import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { readCalibration } from '../instrumenter/budget/calibration.js';
import { calibrateCommand } from '../instrumenter/calibrate/calibrate_command_line.js';
import { temporaryFolder } from './lib/children.js';
import { eachEngine } from './lib/each_engine.js';
import { serve } from './lib/server.js';
import { until } from './lib/until.js';

/** `polyprof calibrate` over a small site: a minified bundle with a source map, and an inline script. */

const CLI = fileURLToPath(new URL('../instrumenter/cli.js', import.meta.url));
const { path: folder, release } = temporaryFolder();
after(release);

const SOURCE = `
export function isPrime(n) { for (let d = 2; d * d <= n; d++) if (n % d === 0) return false; return n > 1 }
function countPrimes(below) { let count = 0; for (let n = 0; n < below; n++) if (isPrime(n)) count++; return count }
function never() { return countPrimes(1) }
globalThis.work = async (below) => { await 0; return below < 0 ? never() : countPrimes(below) };`;

const CALLS = 600_000;
const PAGE = `<!doctype html><title>primes</title><script src="app.js"></script>
<script>function twice(n) { return work(n).then(() => work(n)) }</script>
<script src="rare.js"></script>`;

/** So many functions that their counts are more than a beacon holds. */
const RARE = Array.from({ length: 2000 }, (_, i) => `calledOnceIfAtAll${i}() { return ${i} }`);
const RARE_SCRIPT = `const rare = { ${RARE.join(', ')} }; async function callRare() { for (const call of Object.values(rare)) call() }`;

/** @param {string} name of the site @returns {Promise<string>} its folder */
async function site(name) {
  const out = join(folder, name);
  const { outputFiles } = await build({
    stdin: { contents: SOURCE, sourcefile: 'src/primes.js', resolveDir: folder },
    absWorkingDir: folder,
    outfile: join(out, 'app.js'),
    bundle: true,
    minify: true,
    format: 'iife',
    sourcemap: 'linked',
    write: false,
  });
  mkdirSync(out, { recursive: true });
  for (const { path, contents } of outputFiles) writeFileSync(path, contents);
  writeFileSync(join(out, 'index.html'), PAGE);
  writeFileSync(join(out, 'rare.js'), RARE_SCRIPT);
  return out;
}

/** @param {string[]} args of polyprof @returns {Promise<{code: number, stdout: string, stderr: string}>} */
async function polyprof(...args) {
  try {
    return { code: 0, ...(await promisify(execFile)(process.execPath, [CLI, ...args], { cwd: folder })) };
  } catch (error) {
    return /** @type {any} */ (error);
  }
}

/** @param {string} file @returns {Record<string, number>} calls by source and name */
function callsIn(file) {
  const { sources } = readCalibration(readFileSync(join(folder, file), 'utf8'), file);
  return Object.fromEntries(
    Object.entries(sources).flatMap(([source, functions]) =>
      functions.map(([name, , calls]) => [`${source} ${name}`, calls]),
    ),
  );
}

/** Of what is called how often does not depend on what the bundler puts around it. */
const EXPECTED = {
  'index.html twice': 1,
  'src/primes.js countPrimes': 2,
  'src/primes.js isPrime': 2 * CALLS,
};

await site('dist');

test('a folder is calibrated: calls by the names of the sources, and self time as measured', async () => {
  const { code, stdout, stderr } = await polyprof('calibrate', 'dist', '--run', `twice(${CALLS})`);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^\d functions were called 1,200,0\d\d times in [\d.]+ s \(measured\); /);
  const calls = callsIn('polyprof.calibration.json');
  for (const [name, count] of Object.entries(EXPECTED)) assert.equal(calls[name], count, name);
  assert.ok(!('src/primes.js never' in calls));
  const { sources, busyMs, unseen } = readCalibration(
    readFileSync(join(folder, 'polyprof.calibration.json'), 'utf8'),
    '',
  );
  assert.ok(
    unseen?.some(([, functions]) => functions > 0),
    'never() was not called',
  );
  const shares = Object.fromEntries(
    sources['src/primes.js'].map(([name, , , us]) => [name, us / 1000 / busyMs]),
  );
  // The rest is starting the page; an engine may count what it inlines as its caller's.
  assert.ok(shares.isPrime + shares.countPrimes > 0.3, JSON.stringify(shares));

  const check = await polyprof('instrument', 'dist', '--check', '--budget', '1%');
  const [, cost] =
    /by the calibration, probes cost (\d\.\d\d) % of the time; visible are /.exec(check.stdout) ?? [];
  assert.ok(Number(cost) <= 1, check.stdout);
});

test('a site in another encoding does in its calibration what it does', async () => {
  const out = join(folder, 'cyrillic');
  mkdirSync(out);
  const cyrillic = (/** @type {string} */ text) => Buffer.from(text.replaceAll('П', '\xcf'), 'latin1');
  const page = '<!doctype html><meta charset=windows-1251><script src="app.js"></script>';
  writeFileSync(join(out, 'index.html'), cyrillic(`${page}<script>var inPage = 'П'</script>`));
  const code = `function right() { return 1 } function wrong() { return 2 }
    function check() { inPage + 'П' === '\\u041f\\u041f' ? right() : wrong() }`;
  writeFileSync(join(out, 'app.js'), cyrillic(code));
  const calibration = join(folder, 'cyrillic.json');
  const { code: status, stderr } = await polyprof('calibrate', out, '--run', 'check()', '-o', calibration);
  assert.equal(status, 0, stderr);
  const { sources } = readCalibration(readFileSync(calibration, 'utf8'), calibration);
  const called = Object.values(sources)
    .flat()
    .map(([name]) => name);
  assert.ok(called.includes('right') && !called.includes('wrong'), called.join());
});

test('a page whose name has to be escaped in an address is calibrated', async () => {
  writeFileSync(join(folder, 'a#b?c%20.html'), '<script>function f() {} f()</script>');
  const { code, stderr } = await polyprof('calibrate', 'a#b?c%20.html', '--seconds', '0', '-o', 'name.json');
  assert.equal(code, 0, stderr);
  assert.equal(callsIn('name.json')['a#b?c%20.html f'], 1);
});

test('a URL is calibrated through its answers, a policy that forbids inline code and digests of scripts included', async () => {
  const out = await site('strict');
  const digest = createHash('sha256')
    .update(readFileSync(join(out, 'app.js')))
    .digest('base64');
  writeFileSync(join(out, 'index.html'), `<script integrity="sha256-${digest}" src="app.js"></script>`);
  const server = await serve({ folders: { '/': join(folder, 'strict') }, csp: "default-src 'self'" });
  try {
    const args = ['--run', `work(${CALLS})`, '-o', 'url.json'];
    const { code, stderr } = await polyprof('calibrate', server.url('/'), ...args);
    assert.equal(code, 0, stderr);
    assert.equal(callsIn('url.json')['src/primes.js isPrime'], CALLS);
  } finally {
    await server.close();
  }
});

/** @type {Record<string, [args: string[], code: number, message: RegExp]>} */
const FAILURES = {
  'a page that is not there': [['calibrate', 'none.html'], 2, /^error: no such file or folder: none\.html$/m],
  'an address where nobody answers': [
    ['calibrate', 'http://127.0.0.1:1/'],
    1,
    /cannot be loaded: net::ERR_.*; nothing was written/,
  ],
  'a workload that throws': [
    ['calibrate', 'dist', '--run', 'null.x'],
    1,
    /^error: --run failed in the page: TypeError: Cannot read properties of null[^]*nothing was written$/m,
  ],
  'a command that fails': [
    ['calibrate', '--', 'node', '-e', 'process.exit(3)'],
    1,
    /^error: the command ended with status 3; nothing/m,
  ],
  'a command that opens no page': [
    ['calibrate', '--', 'node', '-e', '0'],
    1,
    /^error: no page has reported calls: /m,
  ],
  'a word that is nothing': [
    ['calibrate', 'no-such-program'],
    2,
    /^error: no-such-program is no page, no folder and no program/m,
  ],
  'a browser that is none': [
    ['calibrate', 'dist', '--browser', '/nowhere/chromium'],
    2,
    /^error: \/nowhere\/chromium does not start/m,
  ],
};

for (const [what, [args, status, message]] of Object.entries(FAILURES)) {
  test(`${what} is told, and nothing is written`, async () => {
    const [command, ...rest] = args;
    const { code, stderr } = await polyprof(command, '-o', 'failed.json', ...rest);
    assert.match(stderr, message);
    assert.equal(code, status);
    assert.throws(() => readFileSync(join(folder, 'failed.json')), /ENOENT/);
  });
}

test('a report that breaks off is none, and those after it count', async () => {
  const script = join(folder, 'breaks-off.mjs');
  writeFileSync(
    script,
    `import { request } from 'node:http';
     const url = process.env.POLYPROF_CALIBRATE;
     await new Promise((done) => {
       const torn = request(url, { method: 'POST', headers: { 'Content-Length': 100 } });
       torn.on('error', done);
       torn.write('[[', () => torn.destroy(new Error('torn')));
     });
     const report = (calls, starts) =>
       fetch(url, { method: 'POST', body: JSON.stringify([['a.js', 'f', 'shape', 1e6, calls, starts]]) });
     for (const each of [await report(4, 1), await report(3, 0), await report(7, 1)])
       if (each.status !== 204) process.exitCode = 3;`,
  );
  const { code, stderr } = await polyprof('calibrate', '-o', 'torn.json', '--', process.execPath, script);
  assert.equal(code, 0, stderr);
  const { sources } = readCalibration(readFileSync(join(folder, 'torn.json'), 'utf8'), 'torn.json');
  assert.deepEqual(
    sources['a.js'].map(([name, , calls, , starts]) => [name, calls, starts]),
    [['f', 14, 2]],
  );
});

/** The receiver is the command's own parent: here the test is the command. @returns {Promise<void>} when it has had a report */
function reportArrives() {
  const channel = 'http.server.response.finish';
  return new Promise((resolve) => {
    subscribe(channel, function look(/** @type {any} */ { request, response }) {
      if (request.method !== 'POST' || response.statusCode !== 204) return;
      unsubscribe(channel, look);
      resolve();
    });
  });
}

/**
 * How pages that called `twice` are left.
 * @type {Record<string, (page: import('./lib/browsers.js').Page, url: string, arrived: Promise<void>) => Promise<void>>}
 */
const LEAVE = {
  'when they are closed': async (page, url, arrived) => {
    await page.evaluate(`twice(${CALLS})`);
    await page.goto(url);
    await page.close();
    await arrived;
  },
  'when they are left while a report is on its way': leaveAtReport('twice'),
  'when they are left while a report of thousands of functions is on its way': leaveAtReport(
    '(calls) => callRare().then(() => twice(calls))',
  ),
};

/** @param {string} work function that the page calls before @returns {(typeof LEAVE)[string]} */
function leaveAtReport(work) {
  return async (page, url, arrived) => {
    await page.evaluate(
      `void (${work})(${CALLS}).then(() => { __polyprof_calibration__.report(); location.href = ${JSON.stringify(url)} })`,
    );
    await arrived;
    // Puppeteer may wait for ever when it closes a page that is between two documents.
    await until(() => isAt(page, url));
    await page.close();
  };
}

/** @param {import('./lib/browsers.js').Page} page @param {string} url @returns {Promise<boolean>} false also when it goes to another document meanwhile */
async function isAt(page, url) {
  const place = await page.evaluate('`${document.readyState} ${location.href}`').catch(() => '');
  return place === `complete ${url}`;
}

for (const [how, leave] of Object.entries(LEAVE)) {
  eachEngine(
    `pages that a calibrated command opens report what they call, also ${how}`,
    async ({ browser }) => {
      const name = `${browser.name}-${Object.keys(LEAVE).indexOf(how)}`;
      const script = join(folder, `build-${name}.mjs`);
      const opened = join(folder, `opened-${name}`);
      writeFileSync(
        script,
        `import { execFileSync } from 'node:child_process';
     import { existsSync, writeFileSync } from 'node:fs';
     execFileSync(process.execPath, [${JSON.stringify(CLI)}, 'instrument', 'dist', '-o', 'counting-${name}', '--no-cache'],
       { cwd: ${JSON.stringify(folder)} });
     writeFileSync(${JSON.stringify(`${opened}.built`)}, '');
     while (!existsSync(${JSON.stringify(opened)})) await new Promise((done) => setTimeout(done, 20));`,
      );
      const running = calibrateCommand([process.execPath, script]);
      while (!existsSync(`${opened}.built`)) await new Promise((done) => setTimeout(done, 20));
      const server = await serve({ folders: { '/': join(folder, `counting-${name}`) } });
      try {
        const page = await browser.open(server.url('/index.html'));
        await leave(page, server.url('/app.js'), reportArrives());
      } finally {
        await server.close();
        writeFileSync(opened, '');
      }
      const { calibration, status } = await running;
      assert.equal(status, 0);
      assert.ok(calibration);
      assert.equal(calibration.selfTime, 'estimated');
      const [, , calls, , starts] =
        calibration.sources['src/primes.js'].find(([name]) => name === 'isPrime') ?? [];
      assert.equal(calls, 2 * CALLS);
      assert.equal(starts, undefined, 'one page, however often it reports');
    },
  );
}
