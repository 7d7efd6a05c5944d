import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { after, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { temporaryFolder } from '../../web-test/lib/children.js';
import { traceOf } from '../report/traces.js';
import { CLI, profilesIn, send, startReceiver } from './receiver_process.js';

const { path: root, release } = temporaryFolder();
after(release);
let folders = 0;

const newFolder = () => join(root, `traces-${folders++}`);
const trace = traceOf(['main@a.js:1:5;f@a.js:2:5', 'main@a.js:1:5', '']);

/** @param {string} folder @returns {string[]} */
const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();

/** @param {string} file @returns {string} the one of that kind in a folder @param {string} end */
const only = (file, end) => {
  const found = filesIn(file).filter((name) => name.endsWith(end));
  assert.equal(found.length, 1, found.join());
  return join(file, found[0]);
};

test('traces end up in one file per hour, compressed, a line each, with what was sent beside them', async () => {
  const folder = newFolder();
  const receiver = await startReceiver(folder);
  const details = { id: '1', session: 's', mode: 'flag', tags: { release: '1.2' }, losses: { lostTicks: 3 } };
  const bodies = [trace, { trace, ...details }, gzipSync(JSON.stringify(trace))];
  for (const body of bodies) assert.equal((await send(receiver.url, body)).status, 204);
  const lines = `${JSON.stringify(trace)}\n${JSON.stringify({ trace, mode: 'shadow' })}`;
  assert.equal((await send(`${receiver.url}/any/../path`, gzipSync(lines))).status, 204);
  assert.equal(await receiver.end('SIGTERM'), 0);

  const [name, ...others] = filesIn(folder);
  assert.deepEqual(others, []);
  assert.match(name, /^date=\d{4}-\d\d-\d\d\/hour=\d\d\/traces-\d{8}T\d{6}\.\d{3}Z-[0-9a-f]{8}\.ndjson\.gz$/);
  const rows = gunzipSync(readFileSync(join(folder, name)))
    .toString()
    .split('\n');
  assert.equal(rows.pop(), '');
  const received = rows.map((row) => JSON.parse(row).received);
  assert.ok(
    received.every((time) => Math.abs(Date.now() - Date.parse(time)) < 600_000),
    received.join(),
  );
  assert.deepEqual(
    rows.map((row) => ({ ...JSON.parse(row), received: '' })),
    [{}, details, {}, {}, { mode: 'shadow' }].map((each) => ({ ...each, received: '', trace })),
  );
  assert.match(receiver.output(), /^listening on http:\/\/127\.0\.0\.1:\d+, .*\n.*\.ndjson\.gz: 5 traces\n$/);

  const { stdout, stderr } = spawnSync(process.execPath, [CLI, 'report', folder, '--merge'], {
    encoding: 'utf8',
  });
  assert.match(stdout, /\n15 samples: 33\.3 % idle, lost: 3 samples\n$/);
  assert.equal(stderr, '');
});

test('what was answered with 204 outlives kill -9: readable at once, complete after the next start', async () => {
  const folder = newFolder();
  const receiver = await startReceiver(folder);
  /** @type {Set<string>} */
  const answered = new Set();
  const sending = Array.from({ length: 8 }, async (_, sender) => {
    for (let i = 0; ; i++) {
      const id = `${sender}.${i}`;
      const status = await send(receiver.url, { trace, id }).then(
        (response) => response.status,
        () => 0,
      );
      if (status === 0) return;
      assert.equal(status, 204);
      answered.add(id);
      if (answered.size === 300) await receiver.end('SIGKILL');
    }
  });
  await Promise.all(sending);
  assert.ok(answered.size >= 300);
  const missing = async () => {
    const stored = (await profilesIn(folder)).map(({ details }) => details?.id);
    assert.equal(new Set(stored).size, stored.length, 'none twice');
    return [...answered].filter((id) => !stored.includes(id));
  };
  assert.deepEqual(await missing(), []);
  only(folder, '.part');
  const next = await startReceiver(folder);
  assert.match(next.output(), /\.ndjson\.gz: \d+ traces\nlistening/);
  assert.equal(await next.end('SIGTERM'), 0);
  assert.deepEqual(await missing(), []);
  only(folder, '.ndjson.gz');
  assert.equal(filesIn(folder).length, 1);
});

test('a file that is torn at its end loses what was not answered, and nothing else', async () => {
  const folder = newFolder();
  const receiver = await startReceiver(folder);
  for (const id of ['a', 'b']) await send(receiver.url, { trace, id });
  await receiver.end('SIGKILL');
  const part = only(folder, '.part');
  const torn = gzipSync(`${JSON.stringify({ trace, id: 'c' })}\n`.repeat(50)).subarray(0, -20);
  appendFileSync(part, torn);
  const before = await profilesIn(folder);
  const next = await startReceiver(folder);
  await next.end('SIGINT');
  const ids = (await profilesIn(folder)).map(({ details }) => details?.id);
  assert.deepEqual(ids.slice(0, 2), ['a', 'b']);
  assert.equal(ids.length, before.length);
  assert.deepEqual(filesIn(folder).length, 1);
  gunzipSync(readFileSync(only(folder, '.ndjson.gz')));
});

test('SIGTERM lets a request that is on its way end, and stores it', async () => {
  const folder = newFolder();
  const receiver = await startReceiver(folder);
  /** @type {(rest: string) => void} */
  let sendRest = () => {};
  const text = JSON.stringify(trace);
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(Buffer.from(text.slice(0, 20)));
      sendRest = (rest) => {
        controller.enqueue(Buffer.from(rest));
        controller.close();
      };
    },
  });
  const answer = fetch(receiver.url, /** @type {any} */ ({ method: 'POST', body, duplex: 'half' }));
  // An answer to a later connection: the earlier request has arrived.
  assert.equal((await fetch(`${receiver.url}/health`)).status, 200);
  const ended = receiver.end('SIGTERM');
  while (
    await fetch(`${receiver.url}/health`).then(
      () => true,
      () => false,
    )
  );
  sendRest(text.slice(20));
  assert.equal((await answer).status, 204);
  assert.equal(await ended, 0);
  assert.equal((await profilesIn(folder)).length, 1);
});

test('a trace that is sent again, since its answer got lost, is stored once', async () => {
  const folder = newFolder();
  const receiver = await startReceiver(folder);
  const sent = { trace, id: 'same' };
  const answers = await Promise.all([1, 2, 3].map(() => send(receiver.url, sent)));
  answers.push(await send(receiver.url, sent));
  assert.deepEqual(
    answers.map(({ status }) => status),
    [204, 204, 204, 204],
  );
  await receiver.end('SIGTERM');
  assert.equal((await profilesIn(folder)).length, 1);
});

test('a file is complete at its size, or with the hour, and then never written again', async () => {
  const folder = newFolder();
  const receiver = await startReceiver(folder, ['--file-size', '0.000001', '--fsync']);
  for (let i = 0; i < 3; i++) await send(receiver.url, trace);
  assert.deepEqual(filesIn(folder).filter((name) => name.endsWith('.ndjson.gz')).length, 3);
  assert.equal((await profilesIn(folder)).length, 3);
  await receiver.end('SIGTERM');
});

test('a file that is old enough is complete, also when nothing arrives any more', async () => {
  const folder = newFolder();
  const receiver = await startReceiver(folder, ['--rotate', '1']);
  await send(receiver.url, trace);
  while (!/: 1 trace\n$/.test(receiver.output())) await new Promise((resolve) => setTimeout(resolve, 20));
  only(folder, '.ndjson.gz');
  await receiver.end('SIGTERM');
});

test('a full disk is said once, refused with a time to try again, and what was there stays', async () => {
  const folder = newFolder();
  const receiver = await startReceiver(folder, [], { fileBlocks: 8 });
  const noise = (/** @type {number} */ length) =>
    traceOf([Array.from({ length }, () => `f${Math.random()}`).join(';')]);
  assert.equal((await send(receiver.url, { trace, id: 'before' })).status, 204);
  const refused = [await send(receiver.url, noise(5000)), await send(receiver.url, noise(5000))];
  for (const response of refused) {
    assert.deepEqual([response.status, response.headers.get('retry-after')], [503, '30']);
  }
  assert.equal((await send(receiver.url, { trace, id: 'after' })).status, 204);
  assert.equal(await receiver.end('SIGTERM'), 0);
  assert.equal(receiver.output().match(/error: traces cannot be stored \(EFBIG.*\)\n/g)?.length, 1);
  const ids = (await profilesIn(folder)).map(({ details }) => details?.id);
  assert.deepEqual(ids.sort(), ['after', 'before']);
  assert.ok(filesIn(folder).every((name) => statSync(join(folder, name)).size <= 8192));
  assert.deepEqual(
    filesIn(folder).filter((name) => !name.endsWith('.ndjson.gz')),
    [],
  );
});

test('a receiver whose output nobody reads any more goes on', async () => {
  const folder = newFolder();
  const receiver = await startReceiver(folder, ['--file-size', '0.000001']);
  receiver.closeOutput();
  for (let i = 0; i < 3; i++) assert.equal((await send(receiver.url, trace)).status, 204);
  assert.equal(await receiver.end('SIGTERM'), 0);
  assert.equal((await profilesIn(folder)).length, 3);
});

test('a second receiver in a folder is refused, and the lock of a process that is gone is none', async () => {
  const folder = newFolder();
  const receiver = await startReceiver(folder);
  await assert.rejects(
    startReceiver(folder),
    new RegExp(`^Error: exit code 2: error: .*another receiver \\(process ${receiver.pid}\\) writes there`),
  );
  await receiver.end('SIGKILL');
  const next = await startReceiver(folder);
  await next.end('SIGKILL');
  // This process is alive, but it is not the one that wrote the lock.
  const lock = join(folder, '.polyprof-collect.lock');
  writeFileSync(lock, JSON.stringify({ pid: process.pid, begin: '1' }));
  assert.equal(await (await startReceiver(folder)).end('SIGTERM'), 0);
});

test('a folder that cannot be made, a port that is taken, and an address that is none of this machine, are told', async () => {
  const folder = newFolder();
  mkdirSync(root, { recursive: true });
  writeFileSync(folder, '');
  await assert.rejects(startReceiver(folder), /exit code 1: error: E(EXIST|NOTDIR).*traces-/);
  const receiver = await startReceiver(newFolder());
  const { port } = new URL(receiver.url);
  await assert.rejects(
    startReceiver(newFolder(), ['--port', port]),
    new RegExp(`exit code 1: error: port ${port} of 127.0.0.1 is in use: .* by --port\n`),
  );
  await assert.rejects(
    startReceiver(newFolder(), ['--host', '192.0.2.1']),
    /exit code 1: error: --host 192\.0\.2\.1: this machine has no such address\n/,
  );
  await receiver.end('SIGTERM');
});

/** @type {[string, string[], RegExp][]} */
const MISTAKES = [
  ['no folder', [], /required option '-o, --out <folder>' not specified/],
  ['a port that is none', ['--out', root, '--port', '65536'], /must be a whole number from 0 to 65535/],
  ['a page for an origin', ['--out', root, '--origin', 'https://a.example/'], /must be an origin without/],
  ['a size of nothing', ['--out', root, '--max-body', '0'], /must be a number above 0/],
];

for (const [mistake, args, message] of MISTAKES) {
  test(`${mistake} is told with exit code 2`, () => {
    const { status, stderr } = spawnSync(process.execPath, [CLI, 'collect', ...args], { encoding: 'utf8' });
    assert.match(stderr, message);
    assert.equal(status, 2);
  });
}

test('the help tells sizes in the unit that they are given in', () => {
  const { stdout } = spawnSync(process.execPath, [CLI, 'collect', '--help'], { encoding: 'utf8' });
  const text = stdout.replace(/\s+/g, ' ');
  assert.match(text, /--max-body <MB> longest body, packed and unpacked \(default: 4\)/);
  assert.match(text, /--file-size <MB> begin a new file at that size \(default: 64\)/);
});
