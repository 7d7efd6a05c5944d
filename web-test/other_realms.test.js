import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from './lib/children.js';
import { eachEngine } from './lib/each_engine.js';
import { onTime } from './lib/on_time.js';

/** Instrumented scripts where nobody brings the polyfill: they load, and do what they do without probes. */

const CLI = fileURLToPath(new URL('../instrumenter/cli.js', import.meta.url));
const SITE = fileURLToPath(new URL('fixtures/other_realms/', import.meta.url));
const { path: folder, release } = temporaryFolder();
after(release);
for (const probe of ['flag', 'shadow']) {
  const options = ['--probe', probe, '--min-weight', '0', '--no-cache'];
  execFileSync(process.execPath, [CLI, 'instrument', SITE, '-o', `${folder}/${probe}`, ...options]);
}

/** How a page gets an answer from each kind of realm; each runs in the page. */
const REALMS = {
  'classic worker': () => {
    const worker = new Worker('classic_worker.js');
    worker.postMessage('');
    return worker;
  },
  'module worker': () => {
    const worker = new Worker('module_worker.mjs', { type: 'module' });
    // It waits for an import before it listens: what came before is not lost.
    worker.postMessage('');
    return worker;
  },
  'shared worker': () => {
    const { port } = new SharedWorker('shared_worker.js');
    port.start();
    return port;
  },
  'service worker': async () => {
    await navigator.serviceWorker.register('service_worker.js');
    const { active } = await navigator.serviceWorker.ready;
    active.postMessage('');
    return navigator.serviceWorker;
  },
  'audio worklet': async () => {
    const context = new OfflineAudioContext(1, 128, 44100);
    await context.audioWorklet.addModule('audio_worklet.mjs');
    const { port } = new AudioWorkletNode(context, 'answer');
    port.start();
    globalThis.rendered = context.startRendering();
    return port;
  },
};

for (const probe of ['flag', 'shadow']) {
  eachEngine(
    `scripts with ${probe} probes run in workers of all kinds, service workers and worklets without the polyfill`,
    { path: '/index.html', ownOrigin: true, serve: { folders: { '/': `${folder}/${probe}` } } },
    async ({ page }) => {
      for (const [realm, start] of Object.entries(REALMS)) {
        const answer = await page.evaluate(`new Promise(async (resolve, reject) => {
          const port = await (${start})();
          port.onerror = (event) => reject(new Error(event.message ?? '${realm} did not start'));
          port.onmessage = ({ data }) => resolve(data);
        })`);
        assert.equal(answer, '17 object', realm);
      }
    },
  );
}

for (const probe of ['flag', 'shadow']) {
  eachEngine(
    `a page with Node's globals, as Electron's, runs scripts with ${probe} probes without the polyfill, and is profiled with it`,
    { path: '/renderer.html', ownOrigin: true, serve: { folders: { '/': `${folder}/${probe}` } } },
    async ({ page }) => {
      assert.equal(await page.evaluate('answer()'), 17);
      await page.evaluate(async () => {
        const script = document.createElement('script');
        script.src = '/dist/polyprof.js';
        document.head.append(script);
        await new Promise((resolve) => (script.onload = resolve));
        globalThis.polyprof.install({ force: true });
      });
      const { trace } = await onTime(() =>
        page.evaluate(async () => {
          const profiler = await performance.profile({ sampleInterval: 1 });
          const end = performance.now() + 200;
          while (performance.now() < end) await answer();
          return { trace: await profiler.stop(), losses: profiler.losses };
        }),
      );
      const names = trace.frames.map(({ name }) => name);
      assert.ok(trace.samples.length > 50, `${trace.samples.length} samples`);
      assert.ok(names.includes('add'), names.join());
      assert.deepEqual(await page.evaluate('Object.keys(module.exports)'), []);
    },
  );
}
