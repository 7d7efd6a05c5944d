import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { BROWSERS, parseOptions } from '../../examples/workloads/lib/options.js';
import { INPUTS } from '../../examples/workloads/lib/inputs.js';
import { WORKLOADS } from '../../examples/workloads/workloads.js';
import { ENGINE_NAMES } from '../../web-test/lib/browsers.js';
import { temporaryFolder } from '../../web-test/lib/children.js';

const NPM_START = fileURLToPath(new URL('../../scripts/start.sh', import.meta.url));
const START = fileURLToPath(new URL('../../examples/workloads/start.js', import.meta.url));

const { path: folder, release } = temporaryFolder();
after(release);
writeFileSync(join(folder, 'file'), '');

test('without options all workloads run in Chromium, a sample per ms, into out/', () => {
  assert.deepEqual(parseOptions([]), {
    browser: 'chromium',
    interval: 1,
    out: join(process.cwd(), 'out'),
    only: ['typescript', 'planck', 'marked', 'preact'],
    scale: 1,
    top: 12,
    setUp: false,
  });
});

test('options are taken in both spellings', () => {
  const args = [
    '--browser=webkit',
    '--interval',
    '2.5',
    '--out=a b',
    '--only',
    'preact,planck',
    '--scale',
    '.5',
    '--top=3',
  ];
  assert.deepEqual(parseOptions(args), {
    browser: 'webkit',
    interval: 2.5,
    out: join(process.cwd(), 'a b'),
    only: ['planck', 'preact'],
    scale: 0.5,
    top: 3,
    setUp: false,
  });
});

test('what needs no packages to be read agrees with what does', () => {
  assert.deepEqual(BROWSERS, ENGINE_NAMES);
  assert.deepEqual(WORKLOADS, Object.keys(INPUTS));
});

/** @type {[string[], string][]} arguments, and the beginning of what is said about them */
const MISTAKES = [
  [['--browser', 'opera'], "--browser is 'opera': it must be chromium, firefox, webkit"],
  [['--browser'], "Option '--browser <value>' argument missing"],
  [['--interval', '0.5'], "--interval is '0.5': it must be a number from 1 to 1000"],
  [['--interval', 'fast'], "--interval is 'fast': it must be a number from 1 to 1000"],
  [['--interval='], "--interval is '': it must be a number from 1 to 1000"],
  [['--out', join(folder, 'file')], `--out is '${join(folder, 'file')}': ${join(folder, 'file')} is a file`],
  [
    ['--out', join(folder, 'file/x')],
    `--out is '${join(folder, 'file/x')}': ${join(folder, 'file')} is a file`,
  ],
  [['--out='], '--out is empty'],
  [['--only', 'planck,lodash'], "--only is 'lodash': it must be typescript, planck, marked, preact"],
  [['--scale', '0'], "--scale is '0': it must be a number from 0.01 to 10"],
  [['--top', '1.5'], "--top is '1.5': it must be a whole number of at least 1"],
  [['--fast'], "Unknown option '--fast'"],
  [['firefox'], "'firefox' is no option; npm wants -- before options"],
];

for (const [args, message] of MISTAKES) {
  test(`${args.join(' ').replace(folder, '…')} is told`, () => {
    assert.throws(
      () => parseOptions(args),
      (/** @type {Error} */ error) => {
        assert.equal(error.message.slice(0, message.length), message);
        return true;
      },
    );
  });
}

test('npm start ends with exit code 2 for a wrong option, before it sets anything up or writes anything', () => {
  const out = join(folder, 'out');
  const { status, stdout, stderr } = spawnSync('bash', [NPM_START, '--out', out, '--browser', 'opera'], {
    cwd: folder,
    encoding: 'utf8',
  });
  assert.deepEqual(
    [status, stdout, stderr],
    [
      2,
      '',
      "error: --browser is 'opera': it must be chromium, firefox, webkit\nAll options: npm start -- --help\n",
    ],
  );
  assert.ok(!existsSync(out));
  assert.deepEqual(readdirSync(folder), ['file']);
});

test('--help names every option, and nothing else happens', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [START, '--help'], {
    cwd: folder,
    encoding: 'utf8',
  });
  assert.deepEqual([status, stderr], [0, '']);
  for (const option of ['browser', 'interval', 'out', 'only', 'scale', 'top', 'set-up', 'help']) {
    assert.match(stdout, new RegExp(`^ {2}--${option} `, 'm'));
  }
  assert.deepEqual(readdirSync(folder), ['file']);
});
