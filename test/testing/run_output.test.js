import assert from 'node:assert/strict';
import { test } from 'node:test';
import { completeProfileOptions } from '../../testing/options.js';
import { browserName } from '../../testing/run/browser_name.js';
import { printProfiles } from '../../testing/run/results.js';

/** What `polyprof run` prints. */

const LIKE_CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0';

for (const [userAgent, name] of [
  [`${LIKE_CHROME} Safari/537.36`, 'Chrome 156.0.0.0'],
  [`${LIKE_CHROME.replace('Chrome', 'HeadlessChrome')} Safari/537.36`, 'Chrome 156.0.0.0'],
  [`${LIKE_CHROME} Safari/537.36 Edg/156.0.1.0`, 'Edge 156.0.1.0'],
  [`${LIKE_CHROME} Safari/537.36 OPR/130.0.0.0`, 'Opera 130.0.0.0'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0', 'Firefox 153.0'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
    'Safari 26.0',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/156.0.0.0 Mobile/15E148 Safari/604.1',
    'Chrome 156.0.0.0',
  ],
  ['Ladybird', 'Ladybird'],
]) {
  test(`a browser that somebody else opens is called ${name}`, () => {
    assert.equal(browserName(userAgent), name);
  });
}

/** Clears a terminal. */
const CLEAR = '\u001b[2J';

test('what pages say in names does nothing to a terminal', (t) => {
  /** @type {string[]} */
  const printed = [];
  t.mock.method(console, 'log', (/** @type {string} */ text) => printed.push(text));
  t.mock.method(console, 'warn', (/** @type {string} */ text) => printed.push(text));
  t.mock.method(process.stdout, 'write', () => true);
  const trace = { resources: [], frames: [], stacks: [], samples: [] };
  const details = { engine: `engine${CLEAR}`, mode: `mode${CLEAR}` };
  printProfiles(
    [
      { name: 'page', trace, details },
      { name: `worker${CLEAR}`, trace },
    ],
    { rows: 1 },
  );
  completeProfileOptions().settings.onNote(`a note\nof ${CLEAR}two lines`);
  t.mock.restoreAll();
  assert.equal(printed.length, 3);
  assert.ok(!printed.join('').includes('\u001b'), JSON.stringify(printed));
  assert.equal(printed[2], 'polyprof: a note\nof two lines');
});
