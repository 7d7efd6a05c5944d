import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { instrument } from '../instrumenter/instrument.js';
import { BUILDS } from './lib/builds.js';
import { eachEngine } from './lib/each_engine.js';
import { instrumentedPages } from './lib/instrumented.js';
import { undisturbed } from './lib/on_time.js';
import { rememberWorkers } from './lib/remember_workers.js';

const BUSY = readFileSync(new URL('pages/busy.js', import.meta.url), 'utf8');

/** Runs in the page: a profiler of the older API that samples. */
async function startOlder(page, ...args) {
  await page.evaluate(async (args) => {
    const { Profiler } = await import('/dist/polyprof-mozilla.mjs');
    globalThis.OlderProfiler = Profiler;
    globalThis.older = new Profiler();
    older.start(...args);
    await older.ready;
  }, args);
}

/**
 * Without a processor for the page, anything of it may be what a sample sees.
 * @template {{stalledMs: number}} T
 * @param {() => Promise<T>} measure
 */
const unstalled = (measure) =>
  undisturbed(measure, ({ stalledMs }) => stalledMs > 0 && `${stalledMs} ms without a processor`);

/** Each node's samples are its own and those of its children. */
function assertSums({ samples, selfCount, children, function: place }) {
  const inner = children.reduce((sum, child) => sum + child.samples, 0);
  assert.equal(samples, selfCount + inner, place.name);
  children.forEach(assertSums);
}

/** A function that is called from two lines. */
const TWO_CALLS = instrument(
  `function work(older, from) {
  older.frame().from = from;
  const end = performance.now() + 20;
  while (performance.now() < end);
}
globalThis.twoCalls = function twoCalls(older) {
  work(older, 'first');
  work(older, 'second');
};
`,
  { file: 'two_calls.js', tableName: 'two_calls.js.ppft', minWeight: 0 },
);

/** Where `busy` calls `hotLoop`. */
const CALL_LINE = 1 + BUSY.split('\n').findIndex((line) => line.includes('hotLoop(1)'));

for (const { name, probe, serve } of BUILDS) {
  const options = { path: '/plain.html', serve };

  eachEngine(
    `with ${name}, results are there at once, also while it profiles, as a tree that adds up`,
    options,
    async ({ page, server }) => {
      const { during, after, samples, states } = await unstalled(async () => {
        await startOlder(page, 1000);
        return page.evaluate(async () => {
          globalThis.stalledMs = 0;
          busy(150);
          await new Promise((resolve) => setTimeout(resolve, 150));
          const during = older.results();
          busy(100);
          const states = [older.isProfiling()];
          older.stop();
          states.push(older.isProfiling());
          return { during, after: older.results(), samples: older.samples(), states, stalledMs };
        });
      });
      assert.deepEqual(states, [true, false]);
      const [outermost] = after.children;
      assert.deepEqual(
        [after.children.length, outermost.function.name, after.gcSamples],
        [1, 'busy', 0],
        JSON.stringify(after),
      );
      assertSums(outermost);
      assert.equal(outermost.site, null);
      assert.equal(outermost.children.length, 1, JSON.stringify(after));
      const [hot] = outermost.children;
      assert.equal(hot.function.name, 'hotLoop');
      assert.ok(hot.selfCount > 100 && hot.selfCount > 0.8 * outermost.samples, JSON.stringify(after));
      assert.deepEqual(
        [hot.function.file, hot.function.line, hot.site?.line, hot.data],
        [`${server.origin}/busy.js`, 3, probe === 'flag' ? CALL_LINE : undefined, null],
      );
      assert.ok(
        during.children[0].samples > 60 && during.children[0].samples < outermost.samples,
        JSON.stringify(during),
      );
      assert.ok(after.samples > outermost.samples + 20, 'idle samples count');
      assert.ok(
        after.micros > 200_000 && after.micros > during.micros + 48_000,
        `${during.micros} ${after.micros}`,
      );
      assert.equal(samples.length, after.samples);
      assert.ok(samples.every(({ micros }, i) => i === 0 || micros >= samples[i - 1].micros));
      assert.equal(samples.filter(({ stack }) => stack.at(-1)?.name === 'hotLoop').length, hot.selfCount);
      assert.ok(samples.every(({ weight }) => weight === 1));
    },
  );

  eachEngine(
    `with ${name}, what is attached to a stack comes back with it, and adds no samples`,
    options,
    async ({ page }) => {
      await startOlder(page, 5_000_000);
      const { same, outer, tree, count } = await page.evaluate(() => {
        const objects = [0, 1, 2].map(() => callInside(() => older.frame()));
        objects[0].item = 7;
        // Sampling at 5 s sees nothing of this: the tree has what is attached only where samples are.
        older.stop();
        const count = older.samples().length;
        return { same: objects[0] === objects[2], outer: older.frame(), tree: older.results(), count };
      });
      assert.deepEqual([same, outer, tree.children, count], [true, {}, [], tree.samples]);
      const attached = await page.evaluate(async () => {
        older.reset();
        older.start(1000);
        await older.ready;
        callInside(() => {
          older.frame().item = 8;
          while (older.samples().length < 20) busy(20);
        });
        callInside(() => (older.frame().more = 9));
        older.stop();
        const results = older.results();
        older.reset();
        return { results, empty: older.results() };
      });
      const [outermost] = attached.results.children;
      assert.deepEqual([outermost.function.name, outermost.data], ['callInside', { item: 8, more: 9 }]);
      assertSums(outermost);
      assert.deepEqual(attached.empty, { samples: 0, gcSamples: 0, micros: 0, children: [] });
    },
  );
}

for (const { name, serve } of BUILDS.filter(({ probe }) => probe === 'flag')) {
  eachEngine(
    `with ${name}, calls from two lines are two children, and what is attached stays with each`,
    { path: '/plain.html', serve },
    async ({ page, server }) => {
      server.override('/two_calls.js', {
        body: TWO_CALLS.code,
        headers: { 'Content-Type': 'text/javascript' },
      });
      server.override('/two_calls.js.ppft', { body: TWO_CALLS.table });
      await page.evaluate(() => import('/two_calls.js'));
      await startOlder(page, 1000);
      const results = await page.evaluate(() => {
        for (let i = 0; i < 10; i++) twoCalls(older);
        older.stop();
        return older.results();
      });
      const [outermost] = results.children;
      assertSums(outermost);
      const found = outermost.children.map(({ function: { name }, site, data }) => [name, site.line, data]);
      assert.deepEqual(
        found.sort(([, a], [, b]) => a - b),
        [
          ['work', 7, { from: 'first' }],
          ['work', 8, { from: 'second' }],
        ],
        JSON.stringify(results),
      );
    },
  );
}

eachEngine(
  'what is attached before a function table is there is not kept, and what is attached afterwards is',
  { path: '/plain.html', serve: { folders: { '/': instrumentedPages() } } },
  async ({ page, server }) => {
    let answer;
    const after = new Promise((resolve) => (answer = resolve));
    server.override('/two_calls.js', {
      body: TWO_CALLS.code,
      headers: { 'Content-Type': 'text/javascript' },
    });
    server.override('/two_calls.js.ppft', { body: TWO_CALLS.table, after });
    await startOlder(page, 1000);
    await page.evaluate(async () => {
      await import('/two_calls.js');
      twoCalls(older);
    });
    answer();
    const results = await page.evaluate(async () => {
      while (older.results().children.length === 0) await new Promise((resolve) => setTimeout(resolve));
      twoCalls(older);
      older.stop();
      return older.results();
    });
    const found = results.children[0].children.map(({ site, data }) => [site?.line, data]);
    assert.deepEqual(
      found.sort(([a], [b]) => a - b),
      [
        [7, { from: 'first' }],
        [8, { from: 'second' }],
      ],
      JSON.stringify(results),
    );
  },
);

const plain = { path: '/plain.html', serve: { folders: { '/': instrumentedPages() } } };

eachEngine('of a limited number of samples the newest stay', plain, async ({ page }) => {
  const { samples, end, tree } = await unstalled(async () => {
    await startOlder(page, 1000, 40);
    return page.evaluate(async () => {
      // More than one turn of the ring, which is a second at least.
      const begin = performance.now();
      while (performance.now() < begin + 2300) {
        // On a busy machine a pause is as long as others have the processor: the newest samples are not to be of one.
        await new Promise((resolve) => setTimeout(resolve));
        globalThis.stalledMs = 0;
        busy(60);
      }
      const end = performance.now();
      older.stop();
      return { samples: older.samples(), end, tree: older.results().children, stalledMs };
    });
  });
  assert.deepEqual(
    tree[0].children.map(({ site }) => site?.line),
    [CALL_LINE],
    JSON.stringify(tree),
  );
  assert.equal(samples.length, 40);
  assert.ok(samples[0].micros / 1000 > end - 120, `${samples[0].micros / 1000} ${end}`);
});

/** Runs in the page: `parsed()` tells how many characters a call reads of traces. */
function countParsed() {
  const { parse } = JSON;
  let characters = 0;
  JSON.parse = (text, ...others) => {
    characters += text.length;
    return parse(text, ...others);
  };
  globalThis.parsed = (call) => {
    characters = 0;
    call();
    return characters;
  };
}

eachEngine('after reset() sampling goes on, and what was before is read no more', plain, async ({ page }) => {
  await page.evaluate(countParsed);
  await startOlder(page, 1000);
  const { before, after, samples } = await page.evaluate(async () => {
    // Stacks of their own.
    const nest = (depth) => (depth === 0 ? busy(4) : callInside(() => nest(depth - 1)));
    for (let depth = 0; depth < 40; depth++) nest(depth);
    const before = parsed(() => older.results());
    older.reset();
    busy(100);
    await null;
    busy(100);
    const { samples } = older.results();
    // The session after that begins with the next one.
    while (parsed(() => older.results()) > before / 2) await new Promise((resolve) => setTimeout(resolve));
    const after = parsed(() => older.results());
    older.stop();
    return { before, after, samples };
  });
  assert.ok(samples > 100, `${samples} samples`);
  assert.ok(after < before / 2, `${before} characters before, ${after} after`);
});

eachEngine('frame() reads no more of a stack when there were others before', plain, async ({ page }) => {
  await page.evaluate(countParsed);
  const read = [];
  for (const others of [0, 25]) {
    await startOlder(page, 5_000_000);
    read.push(
      await page.evaluate((others) => {
        const nest = (depth) => (depth === 0 ? older.frame() : callInside(() => nest(depth - 1)));
        for (let depth = 0; depth < others; depth++) nest(depth);
        const characters = parsed(() => nest(25));
        older.stop();
        return characters;
      }, others),
    );
  }
  const [alone, after] = read;
  assert.ok(alone > 0 && after < 1.2 * alone, `${alone} characters alone, ${after} after others`);
});

for (const { name, serve } of BUILDS.filter(({ serve }) => serve.isolated)) {
  eachEngine(
    `with ${name}, frame() goes on to know stacks after the worker died`,
    { path: '/plain.html', serve },
    async ({ page }) => {
      await page.evaluate(rememberWorkers);
      await startOlder(page, 1000, 40);
      const { isSame, attached } = await page.evaluate(async () => {
        callInside(() => older.frame());
        workers.forEach((worker) => worker.terminate());
        const isThere = () => {
          const [first, second] = [0, 1].map(() => callInside(() => older.frame()));
          return first === second;
        };
        // Of one that has no worker, as soon as possible; of others, when the next one takes its turn.
        while (workers.length === 1 || !isThere()) {
          busy(10);
          await new Promise((resolve) => setTimeout(resolve));
        }
        const isSame = isThere();
        older.stop();
        older.reset();
        older.start(1000);
        await older.ready;
        callInside(() => {
          older.frame().item = 7;
          while (older.samples().length < 20) busy(20);
        });
        older.stop();
        return { isSame, attached: older.results().children[0].data };
      });
      assert.deepEqual([isSame, attached], [true, { item: 7 }]);
    },
  );
}

eachEngine('one stops another, and what makes no sense is refused', plain, async ({ page }) => {
  await startOlder(page, 1000);
  const outcome = await page.evaluate(async () => {
    const second = new OlderProfiler();
    const outcome = [];
    for (const args of [['x'], [0], [1000, -1], [NaN]]) {
      try {
        second.start(...args);
      } catch (error) {
        outcome.push(error.name);
      }
    }
    outcome.push(older.isProfiling());
    second.start();
    outcome.push(older.isProfiling(), second.isProfiling());
    await second.ready;
    // A worker that has to wait for a processor samples later.
    while (second.results().children.length === 0) busy(10);
    second.stop();
    outcome.push(second.results().children[0].function.name);
    return outcome;
  });
  assert.deepEqual(outcome, [
    'TypeError',
    'RangeError',
    'RangeError',
    'TypeError',
    true,
    false,
    true,
    'busy',
  ]);
});

eachEngine(
  'a frame in a sandbox may not profile, as with the API of today',
  { path: '/plain.html', serve: { ...plain.serve, isolated: false } },
  async ({ page, server }) => {
    server.override('/frame.html', {
      body: `<!doctype html><script type="module">
      import { Profiler } from '/dist/polyprof-mozilla.mjs';
      const profiler = new Profiler();
      try { profiler.start(); parent.postMessage('started', '*'); } catch (error) { parent.postMessage(error.name, '*'); }
    </script>`,
      headers: { 'Content-Type': 'text/html' },
    });
    server.override('/dist/polyprof-mozilla.mjs', { headers: { 'Access-Control-Allow-Origin': '*' } });
    const outcomes = await page.evaluate(async () => {
      const outcomes = [];
      for (const sandbox of ['allow-scripts allow-same-origin', 'allow-scripts']) {
        const frame = Object.assign(document.createElement('iframe'), { src: '/frame.html' });
        frame.setAttribute('sandbox', sandbox);
        const outcome = new Promise((resolve) => addEventListener('message', resolve, { once: true }));
        document.body.append(frame);
        outcomes.push((await outcome).data);
      }
      return outcomes;
    });
    assert.deepEqual(outcomes, ['started', 'SecurityError']);
  },
);

eachEngine('where nothing has probes, frame() gives an object that is not kept', plain, async ({ page }) => {
  await startOlder(page, 1000);
  const { isSame, samples } = await page.evaluate(async () => {
    const [first, ...others] = Array.from({ length: 300 }, () => older.frame());
    older.stop();
    return { isSame: others.some((other) => other === first), samples: older.results().children };
  });
  assert.deepEqual([isSame, samples], [false, []]);
});
