import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CLI, startReceiver } from '../test/collect/receiver_process.js';
import { temporaryFolder } from './lib/children.js';
import { eachEngine } from './lib/each_engine.js';

/** The README's example, followed to the letter but for the receiver's port, which may be somebody else's here. */

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const { path: home } = temporaryFolder();
const site = join(home, 'site');
const published = join(home, 'out');

/** Where `polyprof collect` listens. */
const RECEIVER_URL = 'http://127.0.0.1:4180';

mkdirSync(site);
for (const name of ['index.html', 'app.js']) writeFileSync(join(site, name), blockAfter(`\`site/${name}\`:`));
polyprof(commandWith('polyprof instrument'));

assert.deepEqual(argumentsOf(commandWith('polyprof collect')), ['collect', '--out', 'traces']);
const receiver = await startReceiver(join(home, 'traces'));
assert.ok(polyprof('npx polyprof collect --help').includes(`(default: ${new URL(RECEIVER_URL).port})`));
const html = readFileSync(join(published, 'index.html'), 'utf8');
assert.ok(html.includes(RECEIVER_URL));
writeFileSync(join(published, 'index.html'), html.replace(RECEIVER_URL, receiver.url));

eachEngine(
  'the README’s example sends a trace, and its commands show it',
  { path: '/index.html', serve: { folders: { '/': published } } },
  async ({ page }) => {
    await page.evaluate(answered, `${receiver.url}/`);
    const [, self] =
      /^ +(\d+)\.\d .* isPrime +.*app\.js:1$/m.exec(polyprof(commandWith('--tables out'))) ?? [];
    assert.ok(Number(self) > 50, self);
    polyprof(commandWith('speedscope.json'));
    const converted = JSON.parse(readFileSync(join(home, 'primes.speedscope.json'), 'utf8'));
    assert.ok(converted.shared.frames.some(({ name }) => name === 'isPrime'));
  },
);

/** Runs in the page. @param {string} url @returns {Promise<void>} when it has been answered */
function answered(url) {
  return new Promise((resolve) => {
    new PerformanceObserver((list) => {
      if (list.getEntriesByName(url).length > 0) resolve();
    }).observe({ type: 'resource', buffered: true });
  });
}

/** @param {string} text @returns {string} the code block that follows it in the README */
function blockAfter(text) {
  const at = README.indexOf(text);
  assert.ok(at >= 0, `the README has no “${text}”`);
  const [, code] = /** @type {RegExpExecArray} */ (/```\w+\n([\s\S]*?)```/.exec(README.slice(at)));
  return code;
}

/** @param {string} text @returns {string} the README's first command line with it */
function commandWith(text) {
  const line = README.split('\n').find((line) => line.startsWith('npx polyprof') && line.includes(text));
  assert.ok(line, `the README has no command with “${text}”`);
  return line;
}

/** @param {string} line `npx polyprof …` @returns {string} what it printed */
function polyprof(line) {
  return execFileSync(process.execPath, [CLI, ...argumentsOf(line)], { cwd: home, encoding: 'utf8' });
}

/** @param {string} line `npx polyprof …` */
function argumentsOf(line) {
  return line.split(' ').slice(2);
}
