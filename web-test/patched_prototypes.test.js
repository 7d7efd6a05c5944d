import assert from 'node:assert/strict';
import { checkTrace } from '../report/reading/check_trace.js';
import { BUILDS } from './lib/builds.js';
import { eachEngine } from './lib/each_engine.js';
import { onTime } from './lib/on_time.js';
import { folded, selfShares } from './lib/trace.js';

/**
 * Runs in the page: puts functions in the place of most methods of the language that a program uses.
 * @param {'calls probed functions' | 'throws'} kind of what they do: what instrumented polyfills of the page would do, or the worst
 */
function patchPrototypes(kind) {
  const methods = [
    [
      Array.prototype,
      ['at', 'concat', 'every', 'filter', 'find', 'findIndex', 'flatMap', 'forEach', 'includes', 'indexOf'],
    ],
    [
      Array.prototype,
      ['join', 'map', 'pop', 'push', 'reduce', 'shift', 'slice', 'some', 'sort', 'splice', Symbol.iterator],
    ],
    [
      Map.prototype,
      ['clear', 'delete', 'forEach', 'get', 'has', 'set', 'keys', 'values', 'entries', Symbol.iterator],
    ],
    [Set.prototype, ['add', 'delete', 'forEach', 'has', 'values', Symbol.iterator]],
    [
      String.prototype,
      ['endsWith', 'includes', 'indexOf', 'match', 'replace', 'slice', 'split', 'startsWith', 'trim'],
    ],
    [RegExp.prototype, ['exec', 'test']],
    [Promise.prototype, ['catch', 'finally', 'then']],
    [Function.prototype, ['apply', 'bind', 'call']],
    [
      Object,
      ['assign', 'defineProperty', 'entries', 'freeze', 'fromEntries', 'getOwnPropertyDescriptor', 'keys'],
    ],
    [TextDecoder.prototype, ['decode']],
    [TextEncoder.prototype, ['encode']],
    [JSON, ['parse', 'stringify']],
    [Math, ['ceil', 'floor', 'log', 'max', 'min', 'round']],
    [Reflect, ['get', 'ownKeys']],
  ];
  const { apply } = Reflect;
  const restore = [];
  let depth = 0;
  // Without what is being patched.
  for (let i = 0; i < methods.length; i++) {
    const object = methods[i][0];
    for (let k = 0; k < methods[i][1].length; k++) {
      const name = methods[i][1][k];
      const original = object[name];
      restore[restore.length] = () => (object[name] = original);
      object[name] = function (...args) {
        // What is called by the probed function that we call is the original.
        if (depth > 0) return apply(original, this, args);
        if (kind === 'throws') throw new Error('patched');
        depth++;
        try {
          return callInside(() => apply(original, this, args));
        } finally {
          depth--;
        }
      };
    }
  }
  return () => {
    for (let i = 0; i < restore.length; i++) restore[i]();
  };
}

for (const { name, serve } of BUILDS) {
  const options = { path: '/busy.html', serve };

  eachEngine(
    `with ${name}, a page whose patched prototypes have probes is profiled`,
    options,
    async ({ page }) => {
      await page.evaluate(`globalThis.patchPrototypes = ${patchPrototypes}`);
      await page.evaluate(() => {
        polyprof.install({ force: true });
        patchPrototypes('calls probed functions');
      });
      for (let i = 0; i < 2; i++) {
        const { trace } = await onTime(() =>
          page.evaluate(async () => {
            const profiler = await performance.profile({ sampleInterval: 1 });
            busy(200);
            return { trace: await profiler.stop(), losses: profiler.losses };
          }),
        );
        checkTrace(trace);
        assert.ok(selfShares(trace).hotLoop > 0.5, folded(trace));
      }
    },
  );

  eachEngine(`with ${name}, a page whose patched prototypes throw runs on`, options, async ({ page }) => {
    await page.evaluate(`globalThis.patchPrototypes = ${patchPrototypes}`);
    const { results, trace } = await page.evaluate(async () => {
      polyprof.install({ force: true });
      const profiler = await performance.profile({ sampleInterval: 1 });
      busy(150);
      const restore = patchPrototypes('throws');
      const results = [];
      try {
        for (let i = 0; i < 20; i++) results[i] = typeof busy(10);
      } finally {
        restore();
      }
      busy(50);
      return { results, trace: await profiler.stop() };
    });
    assert.deepEqual(results, Array(20).fill('number'));
    checkTrace(trace);
    assert.ok(selfShares(trace).hotLoop > 0.2, folded(trace));
  });

  eachEngine(
    `with ${name}, what a session loads goes by the browser's fetch, not by one that the page put there`,
    options,
    async ({ page }) => {
      const loaded = await page.evaluate(async () => {
        polyprof.install({ force: true });
        const { fetch } = globalThis;
        const asked = [];
        globalThis.fetch = (...args) => {
          asked.push(String(args[0]));
          return callInside(() => fetch(...args));
        };
        const profiler = await performance.profile({ sampleInterval: 1 });
        await new Promise((resolve, reject) => {
          const script = Object.assign(document.createElement('script'), { src: '/busy.js?late' });
          script.onload = resolve;
          script.onerror = () => reject(new Error('/busy.js?late did not load'));
          document.head.append(script);
        });
        busy(20);
        await profiler.stop();
        return { asked, missing: profiler.losses.missingTables };
      });
      assert.deepEqual(loaded, { asked: [], missing: 0 });
    },
  );
}
