import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { callTree } from '../report/traces/call_tree.js';
import { readTrace } from '../report/reading/read_trace.js';
import { prepare, profile } from '../testing/index.js';
import { selectedEngines } from './lib/browsers.js';
import { answersAtOnce } from './lib/answers_at_once.js';
import { temporaryFolder } from './lib/children.js';
import { DRIVERS } from './lib/drivers.js';
import { eachDriver } from './lib/each_driver.js';
import { outerScript, startOuter } from './lib/nested_worker.js';
import { spin } from './lib/profiled_site.js';
import { runCommand } from './lib/run_command.js';
import { serve } from './lib/server.js';

/** Workers and frames of pages that a test, or `polyprof run`, profiles. */

const PAGE = `<!doctype html><title>page</title><script>
  const workers = {};
  /** Resolves with what the worker says next. */
  const says = (name) => new Promise((resolve) => (workers[name].onmessage = ({ data }) => resolve(data)));
  const blob = "importScripts('" + new URL('classic.js', location.href) + "')";
  const scripts = { blob: URL.createObjectURL(new Blob([blob], { type: 'text/javascript' })) };
  const start = (name, options) => ((workers[name] = new Worker(scripts[name] ?? name + '.js', options)), says(name));
  ${startOuter}
  ${answersAtOnce}
  const askAtOnce = (script) => answersAtOnce((workers.atOnce = new Worker(script)));
  const askShared = () => new Promise((resolve) => {
    const { port } = new SharedWorker('shared.js');
    port.onmessage = ({ data }) => resolve(data);
    port.postMessage('work');
  });
  const ask = (name, what) => (workers[name].postMessage(what), says(name));
</script>`;

/** Says that it is sampled, and then what it was asked for. */
const WORKER = `
async function greet() {
  while (!globalThis.__polyprofRun__) await new Promise((resolve) => setTimeout(resolve, 10));
  await __polyprofRun__;
  postMessage('sampled');
}
onmessage = ({ data }) => {
  while (data === 'hang');
  inWorker();
  postMessage(data);
};
greet();
`;

const site = await serve({
  folders: {},
  isolated: false,
  overrides: {
    '/': { body: PAGE, headers: { 'Content-Type': 'text/html' } },
    '/with_frame.html': {
      body: '<!doctype html><title>page</title><iframe src="frame.html"></iframe>',
      headers: { 'Content-Type': 'text/html' },
    },
    '/frame.html': {
      body: `<!doctype html><script>${spin('inFrame', 300)}inFrame();</script>`,
      headers: { 'Content-Type': 'text/html' },
    },
    '/classic.js': { body: `'use strict';\n${spin('inWorker', 300)}${WORKER}` },
    '/module.js': { body: `import { inWorker } from './work.js';${WORKER}` },
    '/ends.js': {
      body: `const isHeld = async () => (await navigator.locks.query()).held.length > 0;
        (async () => {
          while (!(await isHeld())) await new Promise((resolve) => setTimeout(resolve, 10));
          new BroadcastChannel('ended').postMessage('');
          close();
        })();`,
    },
    '/at_once.js': {
      body: `${spin('inWorker', 300)}onmessage = ({ data }) => { inWorker(); postMessage(data); };`,
    },
    // As where a busy browser takes its time to give a lock.
    '/unlocked.js': {
      body: `navigator.locks.request = () => new Promise(() => {});
        ${spin('inWorker', 300)}${WORKER}`,
    },
    '/shared.js': {
      body: `${spin('inWorker', 300)}
        addEventListener('connect', ({ ports: [port] }) => {
          port.onmessage = () => { inWorker(); port.postMessage('worked'); };
        });`,
    },
    '/work.js': { body: `export ${spin('inWorker', 300)}` },
    '/outer.js': { body: outerScript('classic.js') },
  },
});
const { path: folder, release } = temporaryFolder();
after(async () => {
  await site.close();
  release();
});

/** Whether what workers ask for by themselves can be answered. @param {import('./lib/drivers.js').Driver} driver */
const answersWorkers = ({ name }) => !name.startsWith('Playwright without');

/** What is the same for all of an engine. */
const ONE_EACH = DRIVERS.filter(({ name }) => name === 'Puppeteer');

/** @param {string} file @param {string} [name] @returns {Promise<number>} samples in which the function itself ran */
async function samplesIn(file, name = 'inWorker') {
  return callTree(await readTrace(file))
    .functions.filter(({ location }) => location.name === name)
    .reduce((sum, { self }) => sum + self, 0);
}

const quiet = { minWeight: 0, onNote: (/** @type {string} */ note) => assert.fail(note) };

eachDriver(
  'workers of a page have profiles of their own: classic ones, modules, and those of a text that imports what they are',
  async (page, driver) => {
    const outDir = mkdtempSync(join(folder, 'kinds-'));
    const kinds = [
      ['classic'],
      ['module', { type: 'module' }],
      ...(answersWorkers(driver) ? [['blob']] : []),
    ];
    const work = async () => {
      await page.goto(site.url('/'));
      for (const [name, options] of kinds) {
        assert.equal(await page.evaluate(`start('${name}', ${JSON.stringify(options)})`), 'sampled');
        assert.equal(await page.evaluate(`ask('${name}', 'work')`), 'work');
      }
    };
    await profile(page, work, { ...quiet, outDir });
    const files = readdirSync(outDir).filter((name) => /\.worker-\d\.trace\.json$/.test(name));
    assert.equal(files.length, kinds.length);
    for (const name of files) assert.ok((await samplesIn(join(outDir, name))) > 200, name);
    const report = readFileSync(join(outDir, 'profile.html'), 'utf8');
    assert.match(report, /worker http:.*module\.js/);
    assert.doesNotMatch(report, /worker blob:/);
  },
);

eachDriver(
  'a worker has a profile also before the browser has given it the lock by which it is known to be there',
  async (page) => {
    const outDir = mkdtempSync(join(folder, 'unlocked-'));
    const work = async () => {
      await page.goto(site.url('/'));
      assert.equal(await page.evaluate(`start('unlocked')`), 'sampled');
      assert.equal(await page.evaluate(`ask('unlocked', 'work')`), 'work');
    };
    await profile(page, work, { ...quiet, outDir });
    assert.ok((await samplesIn(join(outDir, 'profile.worker-1.trace.json'))) > 200);
  },
);

eachDriver('what a worker is sent at once is in its profile, in its order', async (page) => {
  const outDir = mkdtempSync(join(folder, 'at-once-'));
  const work = async () => {
    await page.goto(site.url('/'));
    assert.deepEqual(await page.evaluate(`askAtOnce('at_once.js')`), ['first', 'second']);
  };
  await profile(page, work, { ...quiet, outDir });
  assert.ok((await samplesIn(join(outDir, 'profile.worker-1.trace.json'))) > 400);
});

eachDriver(
  'a shared worker has a profile of its own',
  async (page) => {
    const outDir = mkdtempSync(join(folder, 'shared-'));
    const work = async () => {
      await page.goto(site.url('/'));
      assert.equal(await page.evaluate('askShared()'), 'worked');
    };
    await profile(page, work, { ...quiet, outDir });
    assert.ok((await samplesIn(join(outDir, 'profile.worker-1.trace.json'))) > 200);
  },
  // In the others nobody can answer what a shared worker asks for.
  DRIVERS.filter((driver) => driver.engine === 'chromium' && answersWorkers(driver)),
);

eachDriver(
  'a worker that another worker starts has a profile of its own',
  async (page) => {
    const outDir = mkdtempSync(join(folder, 'nested-'));
    const work = async () => {
      await page.goto(site.url('/'));
      const started = await page.evaluate(
        `startOuter('outer.js').then(({ outer, says }) => ((workers.outer = outer), says))`,
      );
      assert.equal(started, 'sampled');
      await page.evaluate(`ask('outer', 'work')`);
    };
    // Of an outer one that hung there is a note.
    await profile(page, work, { minWeight: 0, onNote() {}, outDir });
    const files = readdirSync(outDir).filter((name) => name.includes('.worker-'));
    const samples = await Promise.all(files.map((name) => samplesIn(join(outDir, name))));
    assert.equal(samples.filter((count) => count > 200).length, 1, samples.join());
  },
  DRIVERS.filter(answersWorkers),
);

eachDriver(
  'a worker that starts before the profile does is in it from there on',
  async (page) => {
    const outDir = mkdtempSync(join(folder, 'prepared-'));
    const takeBack = await prepare(page, quiet);
    await page.goto(site.url('/'));
    const started = page.evaluate(`start('classic')`);
    const work = async () => {
      await started;
      await page.evaluate(`ask('classic', 'work')`);
    };
    await profile(page, work, { outDir });
    await takeBack();
    assert.ok((await samplesIn(join(outDir, 'profile.worker-1.trace.json'))) > 200);
  },
  ONE_EACH,
);

eachDriver(
  'a worker that has ended before the profile began is nobody that is missing; one whose page was left is told',
  async (page) => {
    /** @type {string[]} */
    const notes = [];
    const takeBack = await prepare(page, { minWeight: 0, onNote: (note) => notes.push(note) });
    await page.goto(site.url('/'));
    // Nothing is recorded yet, so it does not say when it is sampled.
    const greeted = `new Promise((resolve) => (new BroadcastChannel('ended').onmessage = resolve))`;
    await page.evaluate(`void (workers.ends = new Worker('ends.js'), globalThis.ended = ${greeted})`);
    await page.evaluate('ended');
    // It is still ending when it says so.
    const isThere = () =>
      page.workers().some((/** @type {any} */ worker) => worker.url().endsWith('/ends.js'));
    while (isThere()) await new Promise((resolve) => page.once('workerdestroyed', resolve));
    const leave = async () => {
      await page.evaluate(`start('classic').then(() => ask('classic', 'work'))`);
      await page.goto(site.url('/with_frame.html'));
    };
    await profile(page, leave);
    await takeBack();
    assert.match(
      notes.join('\n'),
      /^ended before the profile of http:\/\/[^/]+\/ did.*: worker .*\/classic\.js$/,
    );
    assert.equal(notes.length, 1);
  },
  ONE_EACH,
);

eachDriver('of a worker whose page is left, all but the last second is there', async (page) => {
  const outDir = mkdtempSync(join(folder, 'left-'));
  /** @type {string[]} */
  const notes = [];
  const work = async () => {
    await page.goto(site.url('/'));
    await page.evaluate(`start('classic')`);
    // For as long as three times that.
    await page.evaluate(`(async () => {
      for (const end = performance.now() + 3000; performance.now() < end;) await ask('classic', 'work');
    })()`);
    await page.goto(site.url('/with_frame.html'));
  };
  await profile(page, work, { minWeight: 0, outDir, onNote: (note) => notes.push(note) });
  assert.match(
    notes.join('\n'),
    /^ended before .* did, what ran there last is not in it: worker .*\/classic\.js$/,
  );
  assert.ok((await samplesIn(join(outDir, 'profile.worker-1.trace.json'))) > 1500);
});

eachDriver('a frame of the page has a profile of its own, from its beginning on', async (page) => {
  const outDir = mkdtempSync(join(folder, 'frame-'));
  await profile(page, () => page.goto(site.url('/with_frame.html')), { ...quiet, outDir });
  assert.ok((await samplesIn(join(outDir, 'profile.frame-1.trace.json'), 'inFrame')) > 200);
});

eachDriver(
  'workers that have ended, or are busy for long, are told, and the page has its profile',
  async (page) => {
    /** @type {string[]} */
    const notes = [];
    const work = async () => {
      await page.goto(site.url('/'));
      await page.evaluate(`start('classic').then(() => workers.classic.terminate())`);
      await page.evaluate(
        `start('module', { type: 'module' }).then(() => workers.module.postMessage('hang'))`,
      );
    };
    const trace = await profile(page, work, { minWeight: 0, onNote: (note) => notes.push(note) });
    assert.ok(trace.samples.length > 0);
    assert.match(
      notes.join('\n'),
      /^ended before the profile of http:.*: worker http:.*\/classic\.js\ndid not answer.*: worker http:.*\/module\.js$/,
    );
  },
  ONE_EACH,
);

// In the others it is as above.
for (const engine of selectedEngines().filter((name) => name === 'webkit')) {
  const work = `start('classic').then(() => ask('classic', 'work'))`;
  /** @param {string} flow what it does with the page, at a url @param {string} out folder of its files */
  const runFlow = async (flow, out) => {
    const script = join(folder, 'work.mjs');
    writeFileSync(script, `export default async (page, { url }) => { ${flow} };`);
    const args = [site.origin, '--browser', engine, '--script', script, '--min-weight', '0', '-o', out];
    const { status, output } = await runCommand(args, { cwd: folder, env: { HOME: folder } });
    assert.equal(status, 0, output);
    return output;
  };

  test(`${engine}: polyprof run names the workers of a page that is left`, { timeout: 120_000 }, async () => {
    const leave = `await page.goto(url + '/with_frame.html')`;
    const output = await runFlow(`await page.evaluate(() => ${work}); ${leave}`, join(folder, 'run-left'));
    const note = `note: ended before the profile of ${site.origin}/ did, what ran there is not in it: worker ${site.origin}/classic.js`;
    assert.ok(output.split('\n').includes(note), output);
  });

  test(`${engine}: polyprof run shows what a worker did`, { timeout: 120_000 }, async () => {
    const out = join(folder, `run-${engine}`);
    const output = await runFlow(`await page.evaluate(() => ${work})`, out);
    const [, table] = output.split(/^worker http:.*\/classic\.js, .*$/m);
    assert.match(table ?? output, /^ +\d+\.\d +\d+\.\d +\d+ +inWorker +classic\.js:2/m);
    assert.ok((await samplesIn(join(out, 'profile.worker-1.trace.json'))) > 200, output);
  });
}
