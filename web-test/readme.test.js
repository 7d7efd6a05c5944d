import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from './lib/children.js';
import { eachEngine } from './lib/each_engine.js';
import { FOLDERS } from './lib/folders.js';
import { folded, selfShares } from './lib/trace.js';

/** The README's example, followed to the letter. */

const CLI = fileURLToPath(new URL('../instrumenter/cli.js', import.meta.url));
const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const { path: home } = temporaryFolder();
const site = join(home, 'site');
const published = join(home, 'out');

mkdirSync(site);
for (const name of ['index.html', 'app.js']) writeFileSync(join(site, name), blockAfter(`\`site/${name}\`:`));
polyprof(commandWith('polyprof instrument'));
cpSync(FOLDERS['/dist/'], published, { recursive: true });

eachEngine(
  'the README’s example sends a trace, and its commands show it',
  { path: '/index.html', serve: { folders: { '/': published } } },
  async ({ server }) => {
    const { body } = await server.request(({ method, path }) => method === 'POST' && path === '/traces');
    const trace = JSON.parse(body.toString());
    assert.ok(selfShares(trace).isPrime > 0.5, folded(trace));
    writeFileSync(join(home, 'trace.json'), body);
    assert.match(polyprof(commandWith('--tables out')), /isPrime +.*app\.js:1/);
    polyprof(commandWith('speedscope.json'));
    const converted = JSON.parse(readFileSync(join(home, 'trace.speedscope.json'), 'utf8'));
    assert.ok(converted.shared.frames.some(({ name }) => name === 'isPrime'));
  },
);

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
  const args = line.split(' ').slice(2);
  return execFileSync(process.execPath, [CLI, ...args], { cwd: home, encoding: 'utf8' });
}
