import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  fstatSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { after, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { writeToStream, writeWholeFile } from '../../report/write_file.js';

const WRITE_FILE = new URL('../../report/write_file.js', import.meta.url).href;
const folder = mkdtempSync(join(tmpdir(), 'polyprof-write-'));
after(() => rmSync(folder, { recursive: true }));

test('a large text is written whole, wherever its characters beyond ASCII are', async () => {
  const file = join(folder, 'large.txt');
  for (const shift of [0, 1]) {
    const text = `${'x'.repeat(shift)}${'😀ä'.repeat(1 << 20)}`;
    await writeWholeFile(file, text);
    assert.ok(readFileSync(file, 'utf8') === text);
  }
  for (const text of ['', 'ä']) {
    await writeWholeFile(file, text);
    assert.equal(readFileSync(file, 'utf8'), text);
  }
  assert.deepEqual(readdirSync(folder), ['large.txt']);
});

test('pieces are written one after the other, packed or not, and when one cannot be made, nothing stays', async () => {
  const file = join(folder, 'pieces.txt');
  const pieces = ['a', '', 'ä😀'.repeat(1 << 20), '😀'];
  await writeWholeFile(file, pieces);
  assert.ok(readFileSync(file, 'utf8') === pieces.join(''));
  await writeWholeFile(file, pieces, { gzip: true });
  assert.ok(gunzipSync(readFileSync(file)).toString() === pieces.join(''));
  await writeWholeFile(file, []);
  assert.equal(readFileSync(file, 'utf8'), '');
  rmSync(file);
  for (const gzip of [false, true]) {
    const broken = (function* () {
      yield 'x'.repeat(1 << 21);
      throw new Error('no memory');
    })();
    await assert.rejects(
      writeWholeFile(file, broken, { gzip }),
      /pieces\.txt: cannot be written \(no memory\)/,
    );
  }
  assert.deepEqual(readdirSync(folder), ['large.txt']);
});

test('a file with a name as long as names may be is written', async () => {
  const file = join(folder, `${'a'.repeat(250)}.json`);
  await writeWholeFile(file, 'before');
  await writeWholeFile(file, 'after');
  assert.equal(readFileSync(file, 'utf8'), 'after');
  rmSync(file);
});

test('a link stays one, and what it leads to is written', async () => {
  writeFileSync(join(folder, 'target.txt'), 'before');
  symlinkSync('target.txt', join(folder, 'link.txt'));
  await writeWholeFile(join(folder, 'link.txt'), 'after');
  assert.equal(readFileSync(join(folder, 'target.txt'), 'utf8'), 'after');
  assert.ok(lstatSync(join(folder, 'link.txt')).isSymbolicLink());
});

test('who may read and write a file stays as it was', async () => {
  const file = join(folder, 'mine.txt');
  for (const mode of [0o600, 0o666]) {
    writeFileSync(file, 'before');
    chmodSync(file, mode);
    await writeWholeFile(file, 'after');
    assert.equal(statSync(file).mode & 0o777, mode);
  }
});

test('standard output by its name is written, and nothing is put in its place', () => {
  const file = join(folder, 'stdout.txt');
  const output = openSync(file, 'a');
  writeSync(output, 'before ');
  const script = `import { gunzipSync } from 'node:zlib';
import { writeToStream, writeWholeFile } from ${JSON.stringify(WRITE_FILE)};
    await writeWholeFile('/dev/fd/1', 'after');`;
  execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', output, 'inherit'],
  });
  assert.equal(fstatSync(output).ino, statSync(file).ino);
});

test('a file that cannot be written is named, and nothing of it stays', async () => {
  const file = join(folder, 'missing', 'a.txt');
  await assert.rejects(writeWholeFile(file, 'x'), (error) =>
    /** @type {Error} */ (error).message.startsWith(`${file}: cannot be written (ENOENT`),
  );
});

/** Pieces of 1 MB each, which count how many of them were made. @param {number} length */
function countedPieces(length) {
  const counted = { made: 0, pieces: pieces() };
  function* pieces() {
    for (; counted.made < length; counted.made++) yield 'x'.repeat(1 << 20);
  }
  return counted;
}

test('what goes to a stream is made while it is read, and not before', async () => {
  const counted = countedPieces(8);
  let bytes = 0;
  const slow = new Writable({
    write(chunk, _encoding, done) {
      bytes += chunk.length;
      // The one that is written, and the one that is joined.
      assert.ok(counted.made * (1 << 20) <= bytes + (1 << 20), `${counted.made} pieces for ${bytes} bytes`);
      setImmediate(done);
    },
  });
  await writeToStream(slow, counted.pieces);
  assert.equal(bytes, 8 << 20);
  assert.equal(slow.writableEnded, false);
});

test('a stream that nobody reads any more gets nothing more', async () => {
  const counted = countedPieces(100);
  const closed = new Writable({
    write(_chunk, _encoding, done) {
      setImmediate(done, new Error('EPIPE'));
    },
  });
  /** @type {string[]} */
  const told = [];
  closed.on('error', ({ message }) => told.push(message));
  await writeToStream(closed, counted.pieces);
  assert.ok(counted.made < 3);
  await writeToStream(closed, 'more');
  assert.deepEqual(told, ['EPIPE']);
});

test('a stream gets bytes as they are', async () => {
  /** @type {Buffer[]} */
  const chunks = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  await writeToStream(stream, Uint8Array.of(1, 200, 0));
  await writeToStream(stream, ['ä', '']);
  assert.deepEqual(Buffer.concat(chunks), Buffer.from([1, 200, 0, 0xc3, 0xa4]));
});
