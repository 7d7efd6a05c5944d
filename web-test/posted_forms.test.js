import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after } from 'node:test';
import { openOnLoopback } from '../instrumenter/serving/loopback.js';
import { callTree } from '../report/traces/call_tree.js';
import { profile } from '../testing/index.js';
import { eachDriver } from './lib/each_driver.js';
import { spin } from './lib/profiled_site.js';

/** Pages that forms lead to: what a form sends must reach its server as it was, and once. */

const BUSY_MS = 150;

/** What was posted, by path. @type {{path: string, body: Buffer}[]} */
const posted = [];

const server = createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray());
  const path = request.url ?? '';
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  if (request.method !== 'POST') return response.end(path === '/after' ? pageOf('afterwards') : FORMS);
  posted.push({ path, body });
  if (path === '/elsewhere') return response.writeHead(303, { Location: '/after' }).end();
  if (path === '/file') {
    response.setHeader('Content-Disposition', 'attachment; filename=a.html');
    response.once('finish', () => server.emit('file'));
    return response.end('<p>kept');
  }
  return response.end(pageOf('answered'));
});
const { port, close } = await openOnLoopback(server);
after(close);
const origin = `http://127.0.0.1:${port}`;

/** @param {string} name of what runs in it */
function pageOf(name) {
  return `<!doctype html><title>${name}</title><script>${spin(name, BUSY_MS)}${name}();</script>`;
}

const FORMS = `<!doctype html><title>forms</title>
  <iframe name="frame"></iframe>
  <form method="post"><input name="word" value="é &amp; 表"></form>
  <script>
    /** Resolves once the frame shows what the server answers. */
    function sendToFrame() {
      const [form] = document.forms;
      const frame = document.querySelector('iframe');
      return new Promise((resolve) => {
        frame.onload = () => resolve(frame.contentDocument?.title ?? 'nothing');
        Object.assign(form, { action: '/framed', target: 'frame' }).submit();
      });
    }
    function send(action, properties) {
      Object.assign(document.forms[0], { action, target: '' }, properties).submit();
    }
  </script>`;

const WORD = 'word=%C3%A9+%26+%E8%A1%A8';

eachDriver('what a form sends arrives once, and the page that it leads to has probes', async (page) => {
  posted.length = 0;
  /** @type {string[]} */
  const framed = [];
  const action = async () => {
    await page.goto(origin);
    framed.push(await page.evaluate('sendToFrame()'));
    for (const path of ['/page', '/elsewhere']) {
      await page.goto(origin);
      await Promise.all([page.waitForNavigation(), page.evaluate(`send('${path}')`)]);
    }
    assert.equal(await page.title(), 'afterwards');
  };
  const onNote = (/** @type {string} */ note) => assert.doesNotMatch(note, /no probes/);
  const trace = await profile(page, action, { minWeight: 0, onNote });
  assert.deepEqual(framed, ['answered']);
  const all = ['/framed', '/page', '/elsewhere'].map((path) => ({ path, body: Buffer.from(WORD) }));
  assert.deepEqual(posted, all);
  const seen = callTree(trace).functions.map(({ location }) => location.name);
  assert.ok(seen.includes('answered') && seen.includes('afterwards'), seen.join());
});

eachDriver('a form that is answered with a file is sent once, and its page stays', async (page) => {
  posted.length = 0;
  const action = async () => {
    await page.goto(origin);
    const gave = once(server, 'file');
    await page.evaluate("send('/file')");
    await gave;
    assert.equal(await page.evaluate('sendToFrame()'), 'answered');
    assert.equal(await page.title(), 'forms');
  };
  await profile(page, action, { minWeight: 0, onNote: () => {} });
  assert.deepEqual(
    posted.map(({ path }) => path),
    ['/file', '/framed'],
  );
});

eachDriver('bytes that a form sends arrive once, too', async (page) => {
  posted.length = 0;
  const action = async () => {
    await page.goto(origin);
    const attach = `{
      const input = Object.assign(document.createElement('input'), { type: 'file', name: 'file' });
      const given = new DataTransfer();
      given.items.add(new File([new Uint8Array([0, 13, 10, 128, 255])], 'bytes.bin'));
      document.forms[0].append(input);
      input.files = given.files;
    }`;
    await page.evaluate(attach);
    await Promise.all([
      page.waitForNavigation(),
      page.evaluate("send('/bytes', { enctype: 'multipart/form-data' })"),
    ]);
    assert.equal(await page.title(), 'answered');
  };
  const trace = await profile(page, action, { minWeight: 0, onNote: (note) => assert.fail(note) });
  const seen = callTree(trace).functions.map(({ location }) => location.name);
  assert.ok(seen.includes('answered'), seen.join());
  assert.deepEqual(
    posted.map(({ path, body }) => [path, body.includes(Buffer.from([0, 13, 10, 128, 255]))]),
    [['/bytes', true]],
  );
});
