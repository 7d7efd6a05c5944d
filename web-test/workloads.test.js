import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { buildWorkload } from '../examples/workloads/build.js';
import { instrumentWorkload } from '../examples/workloads/lib/instrument.js';
import { profileWorkload, runWorkload, usualScale } from '../examples/workloads/lib/profile_workload.js';
import { WORKLOADS } from '../examples/workloads/workloads.js';
import { callTree } from '../report/traces/call_tree.js';
import { checkTrace } from '../report/reading/check_trace.js';
import { readTrace } from '../report/reading/read_trace.js';
import { symbolsIn } from '../report/symbols/symbol_files.js';
import { symbolicate } from '../report/symbols/symbolicate.js';
import { selectedEngines } from './lib/browsers.js';
import { temporaryFolder } from './lib/children.js';
import { eachEngine } from './lib/each_engine.js';
import { until } from './lib/until.js';

const START = fileURLToPath(new URL('../examples/workloads/start.js', import.meta.url));

/** Share of the work: the compiler alone parses for a second or two whatever the share. @type {Record<string, number>} */
const SCALES = { typescript: 0.01, planck: 0.03, marked: 0.04, preact: 0.04 };

/** Where the libraries' own sources lie, and a function of theirs that any run spends time in. @type {Record<string, [RegExp, string]>} */
const KNOWN = {
  typescript: [/node_modules\/typescript\/lib\/typescript\.js$/, 'bindWorker'],
  planck: [/node_modules\/planck\/src\/.*\.ts$/, 'solveIsland'],
  marked: [/node_modules\/marked\/src\/.*\.ts$/, 'blockTokens'],
  preact: [/node_modules\/preact\/.*\.js$/, 'diffElementNodes'],
};

const { path: folder, release } = temporaryFolder();
after(release);
const plain = join(folder, 'plain');
const instrumented = join(folder, 'instrumented');
for (const name of WORKLOADS) await instrumentWorkload(await buildWorkload(name, plain), instrumented);

const folders = { '/plain/': plain, '/instrumented/': instrumented };

/** What pages without probes compute, by workload and share of its work: the same in all engines. @type {Map<string, Promise<{digest: string}>>} */
const computed = new Map();

for (const name of WORKLOADS) {
  eachEngine(
    `${name} computes the same while it is profiled, and appears by its original names and files`,
    { serve: { folders } },
    async ({ browser, server }) => {
      const below = (/** @type {string} */ prefix) => ({
        url: (/** @type {string} */ path) => server.url(path.startsWith('/dist/') ? path : prefix + path),
      });
      const scale = SCALES[name];
      const key = `${name} ${scale * usualScale(browser.name, name)}`;
      if (!computed.has(key)) computed.set(key, runWorkload(browser, below('/plain'), name, { scale }));
      const expected = await /** @type {Promise<{digest: string}>} */ (computed.get(key));
      const outcome = await profileWorkload(browser, below('/instrumented'), name, { scale, intervalMs: 1 });
      assert.match(expected.digest, /^[0-9a-f]{16}$/);
      assert.equal(outcome.digest, expected.digest);

      const trace = symbolicate(checkTrace(outcome.trace), symbolsIn(join(instrumented, name)));
      const { functions, samples, idle } = callTree(trace);
      const [file, known] = KNOWN[name];
      const told = functions.map(({ location }) => `${location.name} ${location.file}`).join('\n');
      assert.ok(samples > idle, 'it was sampled');
      assert.ok(
        functions.some(({ location }) => location.name === known && file.test(location.file)),
        told,
      );
      assert.ok(
        !functions.some(({ location }) => location.file.endsWith(`/instrumented/${name}/${name}.js`)),
        told,
      );
    },
  );
}

for (const engine of selectedEngines()) {
  test(`${engine}: the example shows a table, writes a trace and a speedscope file, and says how to open them`, async () => {
    const out = join(folder, `out ${engine}`);
    const { code, stdout, stderr } = await start(
      ['--browser', engine, '--only', 'preact', '--scale', '0.1', '--out', out],
      {},
    ).ended;
    assert.equal(code, 0, stderr);
    const lines = stdout.trimEnd().split('\n');
    assert.match(lines[0], /^preact: /);
    assert.match(lines[2], /^self % +total % +samples +function +where$/);
    assert.match(stdout, /^ +\d+\.\d +\d+\.\d +[\d,]+ +diffElementNodes +preact\/src\/diff\/index\.js:\d+$/m);
    assert.match(stdout, /^[\d,]+ samples: \d+\.\d % idle, .*(nothing lost|lost: .+)$/m);
    const speedscope = join(out, 'preact.speedscope.json');
    assert.equal(
      lines.at(-1),
      `Open one in https://www.speedscope.app or with: npx speedscope '${speedscope}'`,
    );
    const table = lines.slice(0, lines.findIndex((line) => / samples: /.test(line)) + 1);
    assert.deepEqual(
      table.filter((line) => line.length > 100),
      [],
    );

    const trace = await readTrace(join(out, 'preact.trace.json'));
    assert.ok(trace.resources.some((resource) => resource.endsWith('/preact/preact.js')));
    const { profiles, shared } = JSON.parse(readFileSync(speedscope, 'utf8'));
    assert.equal(profiles[0].samples.length, trace.samples.length);
    assert.ok(shared.frames.some((/** @type {any} */ { name }) => name === 'diffElementNodes'));
  });

  test(`${engine}: a run that is interrupted leaves no browser behind`, async () => {
    // Whatever the example starts inherits its environment.
    const mark = `POLYPROF_TEST_MARK=${process.pid}-${engine}`;
    const [name, value] = mark.split('=');
    const out = join(folder, `interrupted ${engine}`);
    const run = start(['--browser', engine, '--only', 'preact', '--out', out], { [name]: value });
    await run.said('profiling preact');
    assert.notDeepEqual(processesWith(mark), []);
    run.child.kill('SIGINT');
    const { code } = await run.ended;
    assert.equal(code, 130);
    // Killed processes are gone as soon as the system comes round to it.
    await until(() => processesWith(mark).length === 0);
    assert.ok(!existsSync(join(out, 'preact.trace.json')));
  });
}

/** @param {string[]} args @param {NodeJS.ProcessEnv} env */
function start(args, env) {
  const child = spawn(process.execPath, [START, ...args], { env: { ...process.env, ...env } });
  const texts = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text) => (texts.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (texts.stderr += text));
  const ended = once(child, 'close').then(([code]) => ({ code, ...texts }));
  return {
    child,
    ended,
    /** @param {string} phrase on stderr; rejects when the program ends without having said it */
    async said(phrase) {
      while (!texts.stderr.includes(phrase)) {
        const { code } = await Promise.race([
          ended,
          once(child.stderr, 'data').then(() => ({ code: undefined })),
        ]);
        if (code !== undefined) assert.fail(`ended with ${code}: ${texts.stderr}`);
      }
    },
  };
}

/** @param {string} mark NAME=value @returns {string[]} ids of the processes that have it in their environment */
function processesWith(mark) {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(mark);
      } catch {
        return false; // It ended meanwhile.
      }
    });
}
