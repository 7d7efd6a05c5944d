import assert from 'node:assert/strict';
import { request } from 'node:http';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { RateLimit } from '../../collect/rate_limit.js';
import { temporaryFolder } from '../../web-test/lib/children.js';
import { traceOf } from '../report/traces.js';
import { profilesIn, send, startReceiver } from './receiver_process.js';

const { path: root, release } = temporaryFolder();
after(release);
const trace = traceOf(['main@a.js:1:5;f@a.js:2:5', 'main@a.js:1:5', '']);
const folder = join(root, 'traces');
const SHOP = 'https://shop.example';
const receiver = await startReceiver(folder, ['--max-body', '1', '--origin', SHOP]);

/** @type {[string, any, number, RegExp][]} */
const BAD_BODIES = [
  ['nothing', '', 400, /^body: is empty\n$/],
  ['truncated JSON', JSON.stringify(trace).slice(0, -9), 400, /^body: is not JSON \(.+\)\n$/],
  ['a wrong type', { ...trace, frames: 7 }, 400, /^body: frames must be an array, not 7\n$/],
  [
    'an id out of range',
    { trace: { ...trace, samples: [{ timestamp: 1, stackId: 9 }] } },
    400,
    /^body: samples\[0\]\.stackId is 9, but there are 2 stacks\n$/,
  ],
  [
    'a cycle of parents',
    {
      ...trace,
      stacks: [
        { frameId: 0, parentId: 1 },
        { frameId: 1, parentId: 0 },
      ],
    },
    400,
    /^body: stacks\[0\]\.parentId leads back to the same stack\n$/,
  ],
  [
    'a bad line after a good one',
    `${JSON.stringify(trace)}\n{"resources": 7}\n`,
    400,
    /^body: line 2: resources must be an array, not 7\n$/,
  ],
  ['damaged gzip', gzipSync(JSON.stringify(trace)).subarray(0, -9), 400, /damaged gzip/],
  ['a zip bomb', gzipSync(Buffer.alloc(50 * 2 ** 20, 32)), 413, /more than 1048576 bytes: see --max-body/],
  ['too much', ' '.repeat(2 ** 20 + 1), 413, /more than 1048576 bytes/],
  [
    'JSON that is nested too deeply',
    `${JSON.stringify(trace).slice(0, -1)},"x":${'['.repeat(2e5)}${']'.repeat(2e5)}}`,
    400,
    /nested too deeply/,
  ],
];

for (const [what, body, status, message] of BAD_BODIES) {
  test(`${what} is refused with ${status}, and says why`, async () => {
    const response = await send(receiver.url, body);
    assert.match(await response.text(), message);
    assert.equal(response.status, status);
  });
}

test('a body without a length is cut off where it is too long', async () => {
  const { status } = await new Promise((resolve, reject) => {
    const sending = request(receiver.url, { method: 'POST' }, (response) => {
      resolve({ status: response.statusCode });
      sending.destroy();
    });
    sending.on('error', reject);
    const more = () => {
      while (!sending.destroyed && sending.write(Buffer.alloc(2 ** 16, 32)));
    };
    sending.on('drain', more);
    more();
  });
  assert.equal(status, 413);
});

test('other methods and encodings are refused', async () => {
  const got = await fetch(receiver.url);
  assert.deepEqual([got.status, got.headers.get('allow')], [405, 'POST, OPTIONS']);
  assert.equal((await send(receiver.url, trace, { 'Content-Encoding': 'br' })).status, 415);
  for (const method of ['GET', 'HEAD']) {
    assert.equal((await fetch(`${receiver.url}/health`, { method })).status, 200);
  }
});

test('pages of other origins are refused and may read why; those of allowed ones may send what needs to be asked for', async () => {
  const OTHER = 'https://other.example';
  const other = await send(receiver.url, trace, { Origin: OTHER });
  assert.deepEqual([other.status, other.headers.get('access-control-allow-origin')], [403, OTHER]);
  const asked = await fetch(receiver.url, {
    method: 'OPTIONS',
    headers: { Origin: SHOP, 'Access-Control-Request-Method': 'POST' },
  });
  assert.deepEqual(
    [
      asked.status,
      asked.headers.get('access-control-allow-origin'),
      asked.headers.get('access-control-allow-methods'),
      asked.headers.get('access-control-allow-headers'),
    ],
    [204, SHOP, 'POST', 'Content-Type, Content-Encoding'],
  );
  assert.equal((await send(receiver.url, trace, { Origin: SHOP })).status, 204);
});

test('of all that was refused nothing is stored, and what was not is', async () => {
  assert.equal((await send(receiver.url, trace)).status, 204);
  const profiles = await profilesIn(folder);
  assert.equal(profiles.length, 2);
  assert.ok(!receiver.output().includes('error'), receiver.output());
});

test('more requests than allowed are refused with the time to wait, per address', async () => {
  const limited = await startReceiver(join(root, 'limited'), ['--rate', '2', '--trust-proxy']);
  const from = (/** @type {string} */ address) => send(limited.url, trace, { 'X-Forwarded-For': address });
  const statuses = [];
  const addresses = ['::1, 192.0.2.1', '192.0.2.1:40001', '192.0.2.1:40002', '192.0.2.2'];
  for (const address of [...addresses, '[2001:db8::1]:4711', '[2001:db8::1]', '2001:db8::2']) {
    statuses.push((await from(address)).status);
  }
  assert.deepEqual(statuses, [204, 204, 429, 204, 204, 204, 429]);
  const wait = Number((await from('192.0.2.1')).headers.get('retry-after'));
  assert.ok(wait >= 1 && wait <= 30, String(wait));
  await limited.end('SIGTERM');
});

test('an address may send its minute’s worth at once, and then as fast as it is allowed', () => {
  const limit = new RateLimit(60);
  for (let i = 0; i < 60; i++) assert.equal(limit.take('192.0.2.1', 0), 0);
  assert.equal(limit.take('192.0.2.1', 0), 1);
  assert.equal(limit.take('192.0.2.1', 999), 1);
  assert.equal(limit.take('192.0.2.1', 1000), 0);
  assert.equal(limit.take('192.0.2.1', 1000), 1);
  assert.equal(limit.take('192.0.2.2', 1000), 0);
  assert.equal(new RateLimit(0).take('192.0.2.1', 0), 0);
});

test('addresses of one network of IPv6 count as one', () => {
  const limit = new RateLimit(1);
  assert.equal(limit.take('2001:db8::1', 0), 0);
  assert.ok(limit.take('2001:db8:0:0:1::', 0) > 0);
  assert.equal(limit.take('2001:db8:0:1::1', 0), 0);
  assert.equal(limit.take('::1', 0), 0);
  assert.equal(limit.take('::ffff:192.0.2.1', 0), 0);
  assert.equal(limit.take('::ffff:192.0.2.2', 0), 0);
});

test('the receiver ends as it should after all of this', async () => {
  assert.equal(await receiver.end('SIGTERM'), 0);
});
