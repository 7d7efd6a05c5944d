import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { openOnLoopback } from '../../instrumenter/serving/loopback.js';
import { WebdriverPage } from '../../testing/run/webdriver_page.js';

test('a browser that never starts is an error, and not a wait without end', async () => {
  const { port, close } = await openOnLoopback(createServer(() => {}));
  await assert.rejects(WebdriverPage.open(port, {}, 20), /^Error: the browser did not start within 0\.02 s$/);
  await close();
});

test('what a driver says of a browser that it cannot start is the error', async () => {
  const answer = { value: { error: 'session not created', message: 'no MiniBrowser' } };
  const server = createServer((_, response) => response.writeHead(500).end(JSON.stringify(answer)));
  const { port, close } = await openOnLoopback(server);
  await assert.rejects(WebdriverPage.open(port, {}), /^Error: session not created: no MiniBrowser$/);
  await close();
});
