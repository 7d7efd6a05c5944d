import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from './lib/children.js';
import { eachEngine } from './lib/each_engine.js';

/** The README's example, followed to the letter. */

const CLI = fileURLToPath(new URL('../instrumenter/cli.js', import.meta.url));
const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const { path: home } = temporaryFolder();
const site = join(home, 'site');
const published = join(home, 'out');

mkdirSync(site);
for (const name of ['index.html', 'app.js']) writeFileSync(join(site, name), blockAfter(`\`site/${name}\`:`));
polyprof(commandWith('polyprof instrument'));

const receiver = spawn(process.execPath, [CLI, ...argumentsOf(commandWith('polyprof collect'))], {
  cwd: home,
});
after(() => receiver.kill());
assert.match(String(await once(receiver.stdout, 'data')), /listening on http:\/\/127\.0\.0\.1:4180/);

eachEngine(
  'the README’s example sends a trace, and its commands show it',
  { path: '/index.html', serve: { folders: { '/': published } } },
  async ({ page }) => {
    await page.evaluate(answered, 'http://127.0.0.1:4180/');
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
