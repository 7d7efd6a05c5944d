import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { copyFileAtomically, writeFileAtomically } from '../../instrumenter/files/write_file.js';
import { site } from './lib/command_line.js';

const WRITE_FILE = new URL('../../instrumenter/files/write_file.js', import.meta.url).href;
const folder = mkdtempSync(join(tmpdir(), 'polyprof-write-'));
after(() => rmSync(folder, { recursive: true }));

/** As long as names may be. */
const LONG_NAME = `${'a'.repeat(251)}.css`;

test('a file with a name as long as names may be is written and copied', (t) => {
  const file = join(folder, LONG_NAME);
  writeFileAtomically(file, 'before');
  writeFileAtomically(file, 'written');
  copyFileAtomically(file, join(folder, 'deep', LONG_NAME));
  assert.deepEqual(readdirSync(join(folder, 'deep')), [LONG_NAME]);
  assert.equal(readFileSync(join(folder, 'deep', LONG_NAME), 'utf8'), 'written');
  const { polyprof, list } = site(t, { [`in/${LONG_NAME}`]: '' });
  assert.equal(polyprof('instrument', 'in', '-o', 'out').stderr, '');
  assert.deepEqual(list('out'), [LONG_NAME]);
});

test('a copy has the mode of a new file, whatever that of the original is', () => {
  const original = join(folder, 'original');
  const copy = join(folder, 'copy');
  writeFileSync(original, '');
  const { mode } = statSync(original);
  for (const other of [0o400, 0o444, 0o755]) {
    chmodSync(original, other);
    copyFileAtomically(original, copy);
    assert.equal(statSync(copy).mode, mode);
  }
});

test('of a file that cannot be copied nothing is left', () => {
  const target = join(folder, 'none', 'a');
  assert.throws(() => copyFileAtomically(join(folder, 'missing'), target), { code: 'ENOENT' });
  assert.deepEqual(readdirSync(join(folder, 'none')), []);
});

test('a file may be larger than what there is memory for', () => {
  const large = join(folder, 'movie.mp4');
  writeFileSync(large, '');
  truncateSync(large, 300e6);
  const script = `import { copyFileAtomically } from ${JSON.stringify(WRITE_FILE)};
    const before = process.resourceUsage().maxRSS;
    copyFileAtomically(${JSON.stringify(large)}, ${JSON.stringify(join(folder, 'copy.mp4'))});
    console.log(process.resourceUsage().maxRSS - before);`;
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  assert.equal(statSync(join(folder, 'copy.mp4')).size, 300e6);
  assert.ok(Number(output) * 1024 < 100e6, `${output.trim()} kB more`);
});
