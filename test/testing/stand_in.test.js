import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { after, test } from 'node:test';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { WebSocket, WebSocketServer } from 'ws';
import { openOnLoopback } from '../../instrumenter/serving/loopback.js';
import { completeProfileOptions } from '../../testing/options.js';
import { serveProfiled } from '../../testing/index.js';
import { InstrumentedSite } from '../../testing/site.js';
import { startProxy } from '../../testing/stand_in/proxy.js';

/** What pages and a server that stands for another one say to each other; the pages are these tests. */

/** What the server answers at some paths, beside an echo. @type {Record<string, http.RequestListener>} */
const answers = {};
const server = http.createServer((request, response) => {
  const answer = answers[String(request.url)];
  if (answer) answer(request, response);
  else response.end(`${request.method} ${request.url}`);
});
const webSockets = new WebSocketServer({ server });
const app = await openOnLoopback(server);
after(() => app.close());
/** What notes name it by, and not what stands for it. */
const servers = `http://127.0.0.1:${app.port}`;

/**
 * @param {(proxy: Awaited<ReturnType<typeof startProxy>>, said: {outcomes: any[], notes: string[]}) => Promise<void>} use
 * @param {number} [port] of the other server
 * @param {boolean} [asks] nobody reaches the pages
 */
async function withProxy(use, port = app.port, asks = true) {
  const said = { outcomes: /** @type {any[]} */ ([]), notes: /** @type {string[]} */ ([]) };
  const { settings } = completeProfileOptions({ onNote: (note) => said.notes.push(note) });
  const site = new InstrumentedSite(settings, { isolates: true, asks });
  const proxy = await startProxy(`http://127.0.0.1:${port}`, site, (json) =>
    said.outcomes.push(JSON.parse(json)),
  );
  await use(proxy, said).finally(proxy.close);
}

const TRACE = { resources: [], frames: [], stacks: [], samples: [] };

test('a page that asks is told when the recording ends, and what it sends then is what its tab saw', async () => {
  await withProxy(async ({ origin, visitors }, { outcomes, notes }) => {
    const own = `${origin}/__polyprof__/`;
    const asked = fetch(`${own}asks-1?tab=a&url=${origin}/x`);
    const early = await fetch(`${own}asks-2?tab=b&url=${origin}/y&loading`);
    assert.equal(await early.text(), '', 'it is to ask again');
    const ended = visitors.end();
    assert.equal(await (await asked).text(), 'all');
    assert.equal(await (await fetch(`${own}asks-2?tab=b&url=${origin}/y&loading`)).text(), 'all');
    for (const id of [1, 2]) {
      await fetch(`${own}ended-${id}`, {
        method: 'POST',
        body: JSON.stringify({ trace: TRACE, url: `u${id}` }),
      });
    }
    await ended;
    assert.deepEqual(outcomes, [
      { trace: TRACE, url: 'u1', tab: 'a' },
      { trace: TRACE, url: 'u2', tab: 'b' },
    ]);
    assert.deepEqual(notes, []);
  });
});

test('what a page waits for takes none of the connections that its browser has to its own server, and only pages from there may ask', async () => {
  answers['/page'] = (_, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end('<!doctype html><title>page</title>');
  };
  await withProxy(async ({ origin, visitors }) => {
    const page = await (await fetch(`${origin}/page`, { headers: { 'sec-fetch-dest': 'document' } })).text();
    const [start, ready] = [...page.matchAll(/src="([^"]+)"/g)].map(([, src]) => new URL(src, origin));
    assert.equal(start.origin, origin);
    const script = await (await fetch(start)).text();
    const [, asksAt] = /"asksAt":"([^"]+)"/.exec(script) ?? assert.fail('asks nobody');
    assert.equal(new Set([origin, ready.origin, asksAt]).size, 3, 'ports');
    const waits = fetch(ready);
    const question = `${asksAt}/__polyprof__/asks-1?tab=a&url=${origin}/page`;
    const asked = fetch(question, { headers: { origin } });
    await fetch(`${origin}/__polyprof__/started-1?`);
    assert.equal((await waits).status, 200);
    /** @type {Record<string, string>[]} */
    const strangers = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'cross-site', origin: 'http://other.example' },
    ];
    for (const headers of strangers) assert.equal((await fetch(question, { headers })).status, 403);
    assert.equal((await fetch(`${ready.origin}/page`)).status, 404);
    const ended = visitors.end();
    const answer = await asked;
    assert.deepEqual(
      [answer.headers.get('access-control-allow-origin'), await answer.text()],
      [origin, 'all'],
    );
    await fetch(`${origin}/__polyprof__/ended-1`, { method: 'POST', body: JSON.stringify({ trace: TRACE }) });
    await ended;
  });
});

test('a page that a driver reaches asks nobody what to tell: it would tell some of it twice, or as another tab', async () => {
  answers['/page'] = (_, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end('<!doctype html><title>page</title>');
  };
  const use = async (/** @type {{origin: string}} */ { origin }) => {
    await fetch(`${origin}/page`, { headers: { 'sec-fetch-dest': 'document' } });
    assert.match(await (await fetch(`${origin}/__polyprof__/start-1.js`)).text(), /"asksAt":""/);
  };
  await withProxy(use, app.port, false);
});

test('a page that began to sample right before the recording ends may not have asked yet, and tells what it saw, too', async () => {
  answers['/page'] = (_, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end('<!doctype html><title>page</title>');
  };
  await withProxy(async ({ origin, visitors }, { outcomes, notes }) => {
    const own = `${origin}/__polyprof__/`;
    for (const problem of ['', '', 'no samples']) {
      const asking = http.get(`${origin}/page`, { headers: { 'sec-fetch-dest': 'document' } });
      const [answer] = await once(asking, 'response');
      const page = Buffer.concat(await answer.toArray()).toString();
      const [, id] = /ready-(\d+)\.js/.exec(page) ?? assert.fail(page);
      await fetch(`${own}started-${id}?${problem}`);
    }
    await fetch(`${own}left-2`, { method: 'POST', body: JSON.stringify(TRACE) });
    let seen = -1;
    const ended = visitors.end().then(() => (seen = outcomes.length));
    const before = outcomes.length;
    await fetch(`${origin}/page`);
    assert.equal(await (await fetch(`${own}asks-1?tab=a&url=${origin}/page`)).text(), 'all');
    await fetch(`${own}ended-1`, { method: 'POST', body: JSON.stringify({ trace: TRACE }) });
    await ended;
    assert.equal(seen, before + 1, 'it was waited for');
    assert.deepEqual(outcomes.at(-1), { trace: TRACE, tab: 'a' });
    assert.deepEqual(notes, []);
  });
});

test('a page that asks tells each second what it saw so far, since it may end at any time without a word', async () => {
  await withProxy(async ({ origin, visitors }, { outcomes, notes }) => {
    const own = `${origin}/__polyprof__/`;
    const ask = () => fetch(`${own}asks-1?tab=a&url=${origin}/x`);
    assert.equal(await (await ask()).text(), 'so far');
    const post = (/** @type {string} */ what) =>
      fetch(`${own}${what}-1`, { method: 'POST', body: JSON.stringify({ trace: TRACE }) });
    await post('told');
    const asked = ask();
    await fetch(`${own}asks-1?tab=a&url=${origin}/x&loading`);
    const ended = visitors.end();
    assert.equal(await (await asked).text(), 'all');
    await post('ended');
    await ended;
    assert.equal(outcomes.length, 2);
    assert.deepEqual(notes, []);
  });
});

test('a page that is gone without a word is told, and not waited for as for one that answers slowly', async () => {
  await withProxy(async ({ origin, visitors }, { outcomes, notes }) => {
    const asking = http.get(`${origin}/__polyprof__/asks-1?tab=a&url=${origin}/x`);
    asking.on('error', () => {});
    await once(asking, 'socket');
    // Something else, so that the question has arrived.
    await fetch(`${origin}/`);
    const ended = visitors.end();
    asking.destroy();
    const start = performance.now();
    await ended;
    assert.ok(performance.now() - start < 10_000);
    assert.deepEqual(outcomes, []);
    assert.deepEqual(notes, [
      `${servers}/x was closed or did not answer: what it did last is not in the profile`,
    ]);
  });
});

test('of a page that was left while it told what it had seen, and whose words were lost, a note tells; not of one whose words come late', async () => {
  await withProxy(async ({ origin, visitors }, { outcomes, notes }) => {
    const own = `${origin}/__polyprof__/`;
    const post = (/** @type {string} */ name, /** @type {object} */ body) =>
      fetch(own + name, { method: 'POST', body: JSON.stringify(body) });
    for (const id of [1, 2]) {
      const asked = fetch(`${own}asks-${id}?tab=${id}&url=${origin}/${id}`);
      assert.equal(await (await asked).text(), 'so far');
      await post(`left-${id}`, TRACE);
    }
    const ended = visitors.end();
    await post('told-2', { trace: TRACE });
    await ended;
    assert.equal(outcomes.length, 3);
    assert.deepEqual(notes, [
      `${servers}/1 was left while it told what it had done: about a second of that is not in the profile`,
    ]);
  });
});

test('a page that is left and shown again has told twice', async () => {
  await withProxy(async ({ origin, visitors }, { outcomes, notes }) => {
    const own = `${origin}/__polyprof__/`;
    const first = fetch(`${own}asks-1?tab=a&url=${origin}/x&loading`);
    assert.equal(await (await first).text(), '');
    await fetch(`${own}left-1?mode=flag`, { method: 'POST', body: JSON.stringify(TRACE) });
    const asked = fetch(`${own}asks-1?tab=a&url=${origin}/x`);
    await fetch(`${own}asks-2?tab=b&url=${origin}/y&loading`);
    await fetch(`${own}left-2?mode=shadow`, { method: 'POST', body: JSON.stringify(TRACE) });
    const ended = visitors.end();
    assert.equal(await (await asked).text(), 'all');
    await fetch(`${own}ended-1`, { method: 'POST', body: JSON.stringify({ trace: TRACE }) });
    await ended;
    assert.deepEqual(
      outcomes.map(({ tab, mode }) => [tab, mode]),
      [
        ['a', 'flag'],
        ['b', 'shadow'],
        ['a', undefined],
      ],
    );
    assert.deepEqual(notes, []);
  });
});

test('what a page sees last begins when the page says that it began, as what it told before does', async () => {
  await withProxy(async ({ origin }, { outcomes }) => {
    const own = `${origin}/__polyprof__/`;
    await fetch(`${own}asks-1?tab=a&url=${origin}/x&timeOrigin=1234.5&loading`);
    await fetch(`${own}left-1`, { method: 'POST', body: JSON.stringify(TRACE) });
    assert.equal(outcomes[0].timeOrigin, 1234.5);
  });
});

test('a window that begins with what another one has stored is a tab of its own, and one that shows the next page is not', async () => {
  await withProxy(async ({ origin, visitors }, { outcomes }) => {
    const own = `${origin}/__polyprof__/`;
    const ask = async (/** @type {string} */ about) => (await fetch(`${own}asks-${about}`)).text();
    const opener = ask(`1?tab=a&url=${origin}/x`);
    // Something else, so that the question has arrived.
    await fetch(`${origin}/`);
    assert.equal(await ask(`2?tab=a&url=${origin}/y`), '', 'it is to ask again');
    assert.equal(await opener, '', 'it is to show that it is there');
    const openerAgain = http.get(`${own}asks-1?tab=a&url=${origin}/x`);
    openerAgain.on('error', () => {});
    await once(openerAgain, 'socket');
    await fetch(`${origin}/`);
    const [what, tab] = (await ask(`2?tab=a&url=${origin}/y`)).split(' ');
    assert.equal(what, 'tab');
    assert.notEqual(tab, 'a');
    // The next page of each.
    assert.equal(await ask(`3?tab=${tab}&url=${origin}/y&loading`), '');
    openerAgain.destroy();
    await fetch(`${own}left-1`, { method: 'POST', body: JSON.stringify(TRACE) });
    assert.equal(await ask(`4?tab=a&url=${origin}/x&loading`), '');
    for (const id of [2, 3, 4])
      await fetch(`${own}left-${id}`, { method: 'POST', body: JSON.stringify(TRACE) });
    await visitors.end();
    assert.deepEqual(
      outcomes.map((each) => each.tab),
      ['a', tab, tab, 'a'],
    );
  });
});

test('the next page of a tab may come before the word that the one before was left', async () => {
  await withProxy(async ({ origin, visitors }, { outcomes, notes }) => {
    const own = `${origin}/__polyprof__/`;
    const first = fetch(`${own}asks-1?tab=a&url=${origin}/x`);
    await fetch(`${origin}/`);
    const next = `${own}asks-2?tab=a&url=${origin}/y`;
    assert.equal(await (await fetch(next)).text(), '', 'it is to ask again');
    await first;
    await fetch(`${own}left-1`, { method: 'POST', body: JSON.stringify(TRACE) });
    const asked = fetch(next);
    // Something else, so that the question has arrived.
    await fetch(`${origin}/`);
    const ended = visitors.end();
    assert.equal(await (await asked).text(), 'all');
    await fetch(`${own}ended-2`, { method: 'POST', body: JSON.stringify({ trace: TRACE }) });
    await ended;
    assert.deepEqual(
      outcomes.map((each) => each.tab),
      ['a', 'a'],
    );
    assert.deepEqual(notes, []);
  });
});

test('a window whose opener is too busy to ask is a tab of its own', async () => {
  await withProxy(async ({ origin }) => {
    const own = `${origin}/__polyprof__/`;
    const opener = fetch(`${own}asks-1?tab=a&url=${origin}/x`);
    await fetch(`${origin}/`);
    const ask = async () => (await fetch(`${own}asks-2?tab=a&url=${origin}/y`)).text();
    let order = await ask();
    await opener;
    while (order === '') order = await ask();
    assert.match(order, /^tab /);
  });
});

test('what nobody has opened, and what is no address, is told', async () => {
  const { end } = await serveProfiled(`http://127.0.0.1:${app.port}`);
  await assert.rejects(end(), /^Error: polyprof: no browser has opened the page by the address that stands/);
  await assert.rejects(serveProfiled('localhost:5173'), /^TypeError: .* needs an address, http/);
  await assert.rejects(serveProfiled('http://'), /^TypeError: .* needs an address, http/);
});

test('what stands for a page has its path and query, and the name and password in its address', async () => {
  const { url, end } = await serveProfiled(`http://user:secret@127.0.0.1:${app.port}/app?x#y`);
  // No browser has opened it.
  await assert.rejects(end());
  const { username, password, pathname, search, hash } = new URL(url);
  assert.deepEqual([username, password, pathname, search, hash], ['user', 'secret', '/app', '?x', '#y']);
});

test('what stands for an address without a path has none either: tests put theirs behind it', async () => {
  for (const [given, path] of [
    ['', ''],
    ['/', '/'],
    ['/app/', '/app/'],
    ['?x', '/?x'],
  ]) {
    const { url, end } = await serveProfiled(`http://127.0.0.1:${app.port}${given}`);
    await assert.rejects(end());
    assert.match(url, /^http:\/\/127\.0\.0\.1:\d+/);
    assert.equal(url.replace(/^http:\/\/[^/]*/, ''), path);
  }
});

test('a server whose name is below localhost is this machine, as it is to browsers', async () => {
  const { settings } = completeProfileOptions();
  const site = new InstrumentedSite(settings, { isolates: true, asks: true });
  const { origin, close } = await startProxy(`http://shop.localhost:${app.port}`, site, () => {});
  answers['/host'] = ({ headers }, response) => response.end(headers.host);
  const answer = await fetch(`${origin}/host`).finally(close);
  assert.equal(await answer.text(), `shop.localhost:${app.port}`);
});

test('what is asked for under another name than that of this machine is not answered', async () => {
  await withProxy(async ({ origin }) => {
    const { port } = new URL(origin);
    const statusFor = async (/** @type {string} */ host) => {
      const request = http.get(`${origin}/`, { headers: { host } });
      const [{ statusCode }] = await once(request, 'response');
      request.destroy();
      return statusCode;
    };
    assert.equal(await statusFor(`localhost:${port}`), 200);
    assert.equal(await statusFor(`127.0.0.1:${port}`), 200);
    assert.equal(await statusFor(`evil.test:${port}`), 403);
    assert.equal(await statusFor('localhost'), 403);
  });
});

test('a WebSocket that a page keeps open, as to a dev server, ends with the server in between', async () => {
  /** @type {Promise<unknown>[]} */
  let ends = [];
  await withProxy(async ({ origin }) => {
    const page = new WebSocket(origin.replace('http', 'ws'));
    const [[other]] = await Promise.all([once(webSockets, 'connection'), once(page, 'open')]);
    other.on('message', (/** @type {Buffer} */ data) => other.send(`${data}?`));
    page.send('there');
    assert.equal(String((await once(page, 'message'))[0]), 'there?');
    ends = [once(page, 'close'), once(other, 'close')];
  });
  await Promise.all(ends);
});

for (const [browser, userAgent, expected] of /** @type {[string, string, string[]][]} */ ([
  [
    'Chromium, to which the loopback interface is secure,',
    'Mozilla/5.0 Chrome/156.0.0.0 Safari/537.36',
    [
      '__Host-id=1; Path=/; Secure; HttpOnly',
      '__Secure-theme=dark; Secure; SameSite=None',
      'plain=2; Secure',
    ],
  ],
  [
    'WebKit, which takes no Secure ones without TLS,',
    'Mozilla/5.0 Version/26.0 Safari/605.1.15',
    ['polyprof__Host-id=1; Path=/; HttpOnly', 'polyprof__Secure-theme=dark', 'plain=2'],
  ],
])) {
  test(`${browser} gets cookies that it can keep, and the server its own`, async () => {
    answers['/login'] = ({ headers }, response) => {
      response.setHeader('set-cookie', [
        '__Host-id=1; Path=/; Secure; HttpOnly',
        '__Secure-theme=dark; Domain=app.test; Secure; SameSite=None',
        'plain=2; Secure',
      ]);
      response.end(headers.cookie ?? '');
    };
    await withProxy(async ({ origin }) => {
      const ask = (/** @type {string} */ cookie) =>
        fetch(`${origin}/login`, { headers: { cookie, 'user-agent': userAgent } });
      const set = (await ask('')).headers.getSetCookie();
      assert.deepEqual(set, expected);
      const answer = await ask(set.map((each) => each.replace(/;.*/, '')).join('; '));
      assert.equal(await answer.text(), '__Host-id=1; __Secure-theme=dark; plain=2');
    });
  });
}

test('redirects to the server lead to what stands for it, and others where they did', async () => {
  let location = '';
  answers['/redirect'] = (_, response) => response.writeHead(302, { location }).end();
  const target = `http://127.0.0.1:${app.port}`;
  await withProxy(async ({ origin }) => {
    for (const [to, expected] of [
      [target, '/'],
      [`${target}/x?y#z`, '/x?y#z'],
      [`${target}0/x`, `${target}0/x`],
      ['../x', '../x'],
      ['https://other.test/', 'https://other.test/'],
    ]) {
      location = to;
      const { headers } = await fetch(`${origin}/redirect`, { redirect: 'manual' });
      assert.equal(headers.get('location'), expected);
    }
  });
});

test('what gets no probes arrives with all that its server said, and is isolated only where a page may show it', async () => {
  answers['/told'] = (_, response) => response.writeHead(202, 'Told', { 'x-told': 'yes' }).end('told');
  await withProxy(async ({ origin }) => {
    const told = async (/** @type {string} */ destination) => {
      const answer = await fetch(`${origin}/told`, { headers: { 'sec-fetch-dest': destination } });
      const { status, statusText, headers } = answer;
      const policy = headers.get('cross-origin-embedder-policy');
      return [status, statusText, headers.get('x-told'), policy, await answer.text()];
    };
    assert.deepEqual(await told('empty'), [202, 'Told', 'yes', null, 'told']);
    for (const shown of ['image/png', 'video/mp4']) {
      answers['/told'] = (_, response) =>
        response.writeHead(202, 'Told', { 'x-told': 'yes', 'content-type': shown }).end('told');
      assert.deepEqual(await told('iframe'), [202, 'Told', 'yes', 'require-corp', 'told']);
    }
  });
});

test('what a server compresses though nobody asked for it gets its probes; what nobody here reads arrives as it was, and is told', async () => {
  const script = Buffer.from('function work() { return "w\u00f6rk"; }');
  const encoders = /** @type {Record<string, (body: Buffer) => Buffer>} */ ({
    gzip: gzipSync,
    deflate: deflateSync,
    br: brotliCompressSync,
    'gzip, br': (body) => brotliCompressSync(gzipSync(body)),
    unheard: (body) => body,
  });
  await withProxy(async ({ origin }, { notes }) => {
    for (const [encoding, encode] of Object.entries(encoders)) {
      answers['/app.js'] = (_, response) => {
        response.setHeader('content-type', 'text/javascript; charset=utf-8');
        response.setHeader('content-encoding', encoding).end(encode(script));
      };
      const asking = http.get(`${origin}/app.js`, { headers: { 'sec-fetch-dest': 'script' } });
      const [answer] = await once(asking, 'response');
      const text = Buffer.concat(await answer.toArray()).toString();
      const isKnown = encoding !== 'unheard';
      assert.equal(answer.headers['content-encoding'], isKnown ? undefined : encoding);
      assert.ok(text.includes('wörk'), text);
      assert.equal(text.includes('__polyprof'), isKnown, text);
    }
    assert.deepEqual(notes, [`${servers}/app.js has no probes: it came as unheard, which was not asked for`]);
  });
});

/** @type {Record<string, {encoding: string, sent: Buffer, status?: number, text: string}>} */
const UNUSUAL = {
  'an error without a body, as gzip,': { encoding: 'gzip', sent: Buffer.of(), status: 404, text: '' },
  'deflate without the frame of zlib': {
    encoding: 'deflate',
    sent: deflateRawSync('<p>text'),
    text: '<p>text',
  },
};
for (const [what, { encoding, sent, status = 200, text }] of Object.entries(UNUSUAL)) {
  test(`${what} is a page that is profiled`, async () => {
    await withProxy(async ({ origin }, { notes }) => {
      const { answer, body } = await pageOf(origin, { encoding, sent, status });
      assert.equal(answer.statusCode, status);
      assert.match(String(body), new RegExp(`^<script src="/__polyprof__/start-.*</script>${text}$`));
      assert.deepEqual(notes, []);
    });
  });
}

test('a page that cannot be decoded, such as gzip that ends early, arrives as it was, and is told', async () => {
  const sent = gzipSync('<p>text').subarray(0, -8);
  await withProxy(async ({ origin }, { notes }) => {
    const { answer, body } = await pageOf(origin, { encoding: 'gzip', sent });
    assert.equal(answer.statusCode, 200);
    assert.equal(answer.headers['content-encoding'], 'gzip');
    assert.deepEqual(body, sent);
    const why = 'it cannot be read as gzip (unexpected end of file)';
    assert.deepEqual(notes, [`${servers}/page has no probes: ${why}`]);
  });
});

/** @param {string} origin of the proxy @param {{encoding: string, sent: Buffer, status?: number}} answer of the server */
async function pageOf(origin, { encoding, sent, status = 200 }) {
  answers['/page'] = (_, response) =>
    response.writeHead(status, { 'content-type': 'text/html', 'content-encoding': encoding }).end(sent);
  const asking = http.get(`${origin}/page`, { headers: { 'sec-fetch-dest': 'document' } });
  const [answer] = await once(asking, 'response');
  return { answer, body: Buffer.concat(await answer.toArray()) };
}

for (const [when, begin] of /** @type {[string, http.RequestListener][]} */ ([
  ['before it was answered', () => {}],
  ['while it is answered', (_, response) => response.write('data: 1\n\n')],
])) {
  test(`what a browser gives up ${when} is given up at the server, too, without a word`, async () => {
    const connection = new EventEmitter();
    answers['/events'] = (request, response) => {
      begin(request, response);
      response.on('close', () => connection.emit('closed'));
      connection.emit('asked');
    };
    await withProxy(async ({ origin }, { notes }) => {
      const asked = once(connection, 'asked');
      const closed = once(connection, 'closed', { signal: AbortSignal.timeout(5000) });
      const asking = http.get(`${origin}/events`);
      asking.on('error', () => {});
      await (when.startsWith('while') ? once(asking, 'response') : asked);
      asking.destroy();
      await closed;
      assert.deepEqual(notes, []);
    });
  });
}

test('an answer whose server breaks off in the middle breaks off for the browser, too', async () => {
  const connection = new EventEmitter();
  answers['/broken'] = (_, response) => {
    response.write('a part');
    connection.on('reset', () => response.socket?.resetAndDestroy());
  };
  await withProxy(async ({ origin }, { notes }) => {
    const asking = http.get(`${origin}/broken`);
    const [answer] = await once(asking, 'response');
    await once(answer, 'data');
    connection.emit('reset');
    await assert.rejects(once(answer, 'end'), { code: 'ECONNRESET' });
    assert.equal(await (await fetch(`${origin}/next`)).text(), 'GET /next');
    assert.deepEqual(notes, []);
  });
});

test('a WebSocket whose browser breaks off before the server has answered is given up there, too', async () => {
  const silent = net.createServer();
  const { port, close } = await openOnLoopback(/** @type {any} */ (silent));
  await withProxy(async ({ origin }, { notes }) => {
    const connected = once(silent, 'connection');
    const request = http.get(origin, { headers: { connection: 'Upgrade', upgrade: 'websocket' } });
    request.on('error', () => {});
    const [upstream] = await connected;
    await once(upstream, 'data');
    request.socket?.resetAndDestroy();
    await once(upstream, 'close');
    assert.deepEqual(notes, []);
  }, port);
  await close();
});

test('what pages of other sites make up is refused', async () => {
  await withProxy(async ({ origin }, { outcomes }) => {
    const tell = (/** @type {Record<string, string>} */ headers) =>
      fetch(`${origin}/__polyprof__/told-1`, {
        method: 'POST',
        body: JSON.stringify({ trace: TRACE }),
        headers,
      });
    assert.equal((await tell({ origin: 'https://evil.test' })).status, 403);
    assert.equal((await tell({ origin: 'null' })).status, 403);
    assert.equal((await tell({ 'sec-fetch-site': 'cross-site' })).status, 403);
    assert.deepEqual(outcomes, []);
    assert.equal((await tell({ origin, 'sec-fetch-site': 'same-origin' })).status, 204);
    assert.equal(outcomes.length, 1);
  });
});
