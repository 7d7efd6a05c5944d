import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after } from 'node:test';
import { pathToFileURL } from 'node:url';
import { htmlReport } from '../report/formats/html_report.js';
import { MergedTrace } from '../report/traces/merged_trace.js';
import { traceOf } from '../test/report/traces.js';
import { temporaryFolder } from './lib/children.js';
import { eachEngine } from './lib/each_engine.js';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const { path: folder, release } = temporaryFolder();
after(release);

/** First half: main and parse; second half: render, that calls itself; a fifth is idle. */
const trace = traceOf([
  ...Array(20).fill('main@https://a.example/js/app.js:1:5;parse@https://a.example/js/app.js:2:5'),
  ...Array(20).fill('main@https://a.example/js/app.js:1:5'),
  ...Array(40).fill(
    'main@https://a.example/js/app.js:1:5;render@b.js:7:3;</script><b>@b.js:8:3;render@b.js:7:3',
  ),
  ...Array(20).fill(''),
]);
const details = { mode: 'flag', engine: 'test <b>engine</b>', sampleInterval: 10, losses: { lostTicks: 3 } };
const merged = new MergedTrace();
merged.add({ name: '', trace });
merged.add({ name: '', trace });

/** @param {string} name @param {import('../report/formats/formats.js').Profile[]} profiles @returns {string} its address */
function written(name, profiles) {
  const file = join(folder, name);
  writeFileSync(file, htmlReport(profiles));
  return pathToFileURL(file).href;
}
const one = written('one.html', [{ name: 'shop <1>', trace, details }]);
const two = written('two.html', [{ name: 'first', trace }, merged.profile('merged')]);

/** What the table says, in the page. */
const readRows = () =>
  [...document.querySelectorAll('tbody tr')].map((row) =>
    [...row.children].map((cell) => cell.textContent).join(' | '),
  );

eachEngine('a report opens from disk and says what was profiled', async ({ page }) => {
  await page.goto(one);
  const seen = await page.evaluate(() => ({
    title: document.title,
    facts: [...document.querySelectorAll('dl > div')].map((fact) =>
      [...fact.children].map((part) => part.textContent).join(': '),
    ),
    needs: document.querySelectorAll('[src], [href]').length,
  }));
  assert.deepEqual(seen, {
    title: 'shop <1> – polyprof',
    facts: [
      'Engine: test <b>engine</b>',
      'Mode: flag',
      'Interval: 10 ms',
      'Samples: 100',
      'Time: 1.00 s',
      'Idle: 20.0 %',
      'Losses: lost: 3 samples',
    ],
    needs: 0,
  });
});

eachEngine(
  'its tables show functions with their callers, and calls with what they called',
  async ({ page }) => {
    await page.goto(one);
    assert.deepEqual(await page.evaluate(readRows), [
      '50.0 | 400 | 50.0 | 400 | 40 | render | b.js:7:3',
      '25.0 | 200 | 100.0 | 800 | 20 | main | js/app.js:1:5',
      '25.0 | 200 | 25.0 | 200 | 20 | parse | js/app.js:2:5',
      '0.0 | 0 | 50.0 | 400 | 0 | </script><b> | b.js:8:3',
    ]);
    await page.evaluate(() => /** @type {HTMLElement} */ (document.querySelector('.opener')).click());
    assert.deepEqual((await page.evaluate(readRows)).slice(0, 2), [
      '50.0 | 400 | 50.0 | 400 | 40 | render | b.js:7:3',
      '50.0 | 400 |  |  | 40 | </script><b> | b.js:8:3',
    ]);
    await page.evaluate(() => /** @type {HTMLElement} */ (document.querySelector('[value=topDown]')).click());
    const calls = ['25.0 | 200 | 100.0 | 800 | 20 | main | js/app.js:1:5'];
    assert.deepEqual(await page.evaluate(readRows), [
      ...calls,
      '0.0 | 0 | 50.0 | 400 | 0 | render | b.js:7:3',
      '25.0 | 200 | 25.0 | 200 | 20 | parse | js/app.js:2:5',
    ]);
    await page.evaluate(() =>
      /** @type {HTMLElement} */ (document.querySelector('[aria-expanded=true]')).click(),
    );
    assert.deepEqual(await page.evaluate(readRows), calls);
  },
);

const LONG = `${'very/long/'.repeat(30)}file.js:123:45`;
const long = written('long.html', [{ name: 'long', trace: traceOf([`${'name'.repeat(80)}@${LONG}`]) }]);

eachEngine(
  'long names and paths fit: of a name the beginning is seen, of a path the end',
  async ({ page }) => {
    await page.goto(long);
    const { table, name, place } = await page.evaluate(() => {
      const spanOf = (selector) => {
        const range = document.createRange();
        range.selectNodeContents(document.querySelector(selector));
        const { left, right } = range.getBoundingClientRect();
        return { left, right };
      };
      const boxOf = (selector) => document.querySelector(selector).getBoundingClientRect();
      const scroll = document.querySelector('.scroll');
      scroll.style.width = '1200px';
      const { scrollWidth, clientWidth } = scroll;
      return {
        table: scrollWidth - clientWidth,
        name: { text: spanOf('tbody .leaf'), box: boxOf('tbody .leaf').toJSON() },
        place: { text: spanOf('tbody bdi'), box: boxOf('tbody .place').toJSON() },
      };
    });
    assert.equal(table, 0);
    assert.ok(name.text.left >= name.box.left && name.text.right > name.box.right, JSON.stringify(name));
    assert.ok(place.text.right <= place.box.right && place.text.left < place.box.left, JSON.stringify(place));
  },
);

eachEngine('on a narrow screen, what functions are called is seen', async ({ page }) => {
  await page.goto(one);
  const { name, frame } = await page.evaluate(
    async (html) => {
      const frame = document.createElement('iframe');
      Object.assign(frame.style, { position: 'fixed', top: 0, left: 0, width: '360px', height: '640px' });
      frame.srcdoc = html;
      document.body.append(frame);
      await new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
      const { left, right } = frame.contentDocument.querySelector('tbody .opener').getBoundingClientRect();
      return { name: { left, right }, frame: { width: frame.clientWidth } };
    },
    htmlReport([{ name: 'narrow', trace }]),
  );
  assert.ok(name.left > 0 && name.right < frame.width, JSON.stringify({ name, frame }));
});

eachEngine('where there is nothing to draw, the flame graph says so', async ({ page }) => {
  await page.goto(written('still.html', [{ name: 'still', trace: traceOf(['main']) }]));
  const text = await page.evaluate(() => {
    document.getElementById('show-flame').click();
    return document.getElementById('flame').textContent;
  });
  assert.equal(text, 'There is nothing to draw: no function ran, or for how long is not known.');
});

const named = written('named.html', [
  { name: LONG, trace },
  { name: 'other', trace },
]);

eachEngine('long names of traces fit, too', async ({ page }) => {
  await page.goto(named);
  const isOver = await page.evaluate(() => {
    const right = (selector) => document.querySelector(selector).getBoundingClientRect().right;
    return right('select') > right('.scroll');
  });
  assert.equal(isOver, false);
});

eachEngine('the head of a table sorts it, and says how', async ({ page }) => {
  await page.goto(one);
  const click = (/** @type {string} */ title) =>
    page.evaluate((text) => {
      const button = [...document.querySelectorAll('thead button')].find((each) => each.textContent === text);
      /** @type {HTMLElement} */ (button).click();
      const sorted = [...document.querySelectorAll('[aria-sort]')].filter(
        (head) => head.getAttribute('aria-sort') !== 'none',
      );
      return [
        ...sorted.map((head) => `${head.textContent} ${head.getAttribute('aria-sort')}`),
        ...[...document.querySelectorAll('tbody th')].map((name) => name.textContent),
      ];
    }, title);
  const byName = ['</script><b>', 'main', 'parse', 'render'];
  assert.deepEqual(await click('Function'), ['Function ascending', ...byName]);
  assert.deepEqual(await click('Function'), ['Function descending', ...byName.toReversed()]);
  assert.equal((await click('Total ms'))[1], 'main');
});

eachEngine(
  'a range of time is chosen by sliders or by dragging, and the table is about it',
  async ({ page }) => {
    await page.goto(one);
    const names = () => [...document.querySelectorAll('tbody th')].map((name) => name.textContent);
    await page.evaluate(() => {
      const [start] = document.querySelectorAll('input[type=range]');
      /** @type {HTMLInputElement} */ (start).value = '400';
      start.dispatchEvent(new Event('input'));
    });
    assert.deepEqual(await page.evaluate(names), ['render', 'main', '</script><b>']);
    assert.equal(await page.evaluate('document.querySelector("output").textContent'), '0.400 s to 1.000 s');
    await page.evaluate(() => {
      const chart = /** @type {Element} */ (document.querySelector('svg'));
      chart.setPointerCapture = () => {};
      chart.hasPointerCapture = () => true;
      const { left, width } = chart.getBoundingClientRect();
      const at = (/** @type {string} */ type, /** @type {number} */ share) =>
        chart.dispatchEvent(new PointerEvent(type, { clientX: left + share * width }));
      at('pointerdown', 0.1);
      at('pointermove', 0.2);
    });
    assert.deepEqual(await page.evaluate(names), ['parse', 'main']);
    await page.evaluate(() => /** @type {HTMLElement} */ (document.querySelector('.range button')).click());
    assert.equal((await page.evaluate(names)).length, 4);
  },
);

eachEngine('of several traces one is chosen; a merged one has no timeline', async ({ page }) => {
  await page.goto(two);
  const seen = () => ({
    samples: [...document.querySelectorAll('dl > div')].find((fact) => /Samples/.test(fact.textContent ?? ''))
      ?.textContent,
    hasTimeline: !(/** @type {HTMLElement} */ (document.querySelector('.timeline')).hidden),
  });
  assert.deepEqual(await page.evaluate(seen), { samples: 'Samples100', hasTimeline: true });
  await page.evaluate(() => {
    const select = /** @type {HTMLSelectElement} */ (document.querySelector('select'));
    select.value = '1';
    select.dispatchEvent(new Event('change'));
  });
  assert.deepEqual(await page.evaluate(seen), { samples: 'Samples200', hasTimeline: false });
  assert.equal((await page.evaluate(readRows))[0], '50.0 | 800 | 50.0 | 800 | 80 | render | b.js:7:3');
});

const instant = written('instant.html', [
  { name: 'instant', trace: traceOf(['main', 'main', 'main;parse', ''], { intervalMs: 0 }) },
]);

eachEngine('samples of no time have shares by their number, and no timeline', async ({ page }) => {
  await page.goto(instant);
  assert.deepEqual(await page.evaluate(readRows), [
    '66.7 | 0 | 100.0 | 0 | 2 | main | ',
    '33.3 | 0 | 33.3 | 0 | 1 | parse | ',
  ]);
  const timeline = await page.evaluate(() => ({
    isHidden: /** @type {HTMLElement} */ (document.querySelector('.timeline')).hidden,
    line: document.querySelector('.busy')?.getAttribute('d') ?? '',
  }));
  assert.equal(timeline.isHidden, true);
  assert.doesNotMatch(timeline.line, /NaN/);
});

eachEngine(
  'the flame graph is speedscope with the same trace, where WebGL is to be had',
  async ({ page }) => {
    await page.goto(one);
    const hasWebgl = await page.evaluate(() => Boolean(document.createElement('canvas').getContext('webgl')));
    const seen = await page.evaluate(async () => {
      document.getElementById('show-flame')?.click();
      const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      const viewer = () => document.querySelector('iframe')?.contentDocument;
      if (!viewer()) return document.querySelector('[role=alert]')?.textContent;
      while (!viewer()?.title.includes('shop')) await nextFrame();
      // Its third view is a table.
      const inner = /** @type {Window & typeof globalThis} */ (
        document.querySelector('iframe')?.contentWindow
      );
      inner.dispatchEvent(new inner.KeyboardEvent('keypress', { key: '3' }));
      for (;;) {
        const found = /800\.00ms.{0,60}?main/.exec(viewer()?.body.textContent ?? '');
        if (found) return found[0];
        await nextFrame();
      }
    });
    assert.match(
      seen,
      hasWebgl ? /main$/ : /^The flame graph is drawn by WebGL, which this browser does not have/,
    );
  },
);

eachEngine('it is accessible, light and dark', { only: ['chromium'] }, async ({ page }) => {
  await page.goto(one);
  for (const isDark of [false, true]) {
    const violations = await page.evaluate(`(() => {
      if (${isDark}) {
        const style = document.querySelector('style');
        style.textContent = style.textContent.replace('(prefers-color-scheme: dark)', 'all');
      }
      ${axe};
      return axe.run(document).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html));
    })()`);
    assert.deepEqual(violations, []);
  }
});
