import { lookup } from 'node:dns';
import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import { pipeline } from 'node:stream';
import { openOnLoopback } from '../../instrumenter/serving/loopback.js';
import { kindFor } from '../kinds.js';
import { OWN_PATH } from '../own_files.js';
import { decodingOf } from './decoding.js';
import { Visitors } from './visitors.js';

/** @import { IncomingMessage, ServerResponse } from 'node:http' */
/** @import { Answer, Headers } from '../headers.js' */
/** @import { InstrumentedSite } from '../site.js' */
/** @import { Leave } from '../drivers/driver.js' */

/** What holds for one connection only. */
const HOP_BY_HOP = /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/i;

/**
 * A proxy in front of another server, for browsers whose requests we cannot intercept. Every response passes through the `InstrumentedSite`, which puts probes
 * into it. The proxy speaks HTTP on the loopback interface, which browsers treat as secure.
 * @param {string} target origin
 * @param {InstrumentedSite} site
 * @param {Leave} leave
 * @returns {Promise<{origin: string, visitors: Visitors, close: () => Promise<void>}>}
 */
export async function startProxy(target, site, leave) {
  let origin = '';
  const isOwn = (/** @type {IncomingMessage} */ { headers: { host } }) =>
    [origin, origin.replace('127.0.0.1', 'localhost')].includes(`http://${host}`);
  const visitors = new Visitors(site, leave);
  const server = http.createServer((request, response) => {
    handle(request, response).catch((error) => {
      if (response.destroyed) return; // Nobody waits for it.
      site.note(`${target}${request.url}: ${error.message}`);
      if (!response.headersSent) response.writeHead(502, { 'content-type': 'text/plain; charset=utf-8' });
      response.end(`polyprof: ${target} does not answer: ${error.message}`);
    });
  });
  server.on('upgrade', (request, socket, head) => {
    // Nobody else listens to it from here on, and its errors would end this process.
    socket.on('error', () => {});
    if (!isOwn(request)) return socket.destroy();
    const { hostname, port, protocol } = new URL(target);
    const upstream = ask(target, request);
    socket.on('close', () => upstream.destroy());
    upstream.on('upgrade', (answer, other, rest) => {
      const lines = pairs(answer.rawHeaders).map(([name, value]) => `${name}: ${value}`);
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('\r\n')}\r\n\r\n`);
      if (rest.length > 0) socket.write(rest);
      if (head.length > 0) other.write(head);
      // What ends one of them, in whatever way, ends the other.
      pipeline(socket, other, socket, () => {});
    });
    upstream.on('response', () => socket.destroy());
    upstream.on('error', (error) => {
      if (socket.destroyed) return; // Nobody waits for it.
      site.note(`${protocol}//${hostname}:${port}${request.url}: ${error.message}`);
      socket.destroy();
    });
    upstream.end();
  });

  /** @param {IncomingMessage} request @param {ServerResponse} response */
  async function handle(request, response) {
    // Else any site could be given our address, and read what the other server has.
    if (!isOwn(request)) return void response.writeHead(403).end();
    const url = `${originOf(request)}${request.url}`;
    const name = request.url?.startsWith(OWN_PATH) ? request.url.slice(OWN_PATH.length) : '';
    if (await visitors.answer(name, request, response)) return;
    const own = site.ownAnswer(url);
    if (own) return send(response, await own);
    const upstream = ask(target, request);
    response.on('close', () => upstream.destroy());
    // A connection may be reset in the middle of an answer, when nobody waits for the request any more.
    upstream.on('response', (answer) => upstream.on('error', (error) => answer.destroy(error)));
    request.pipe(upstream);
    const [answer] = /** @type {[IncomingMessage]} */ (await once(upstream, 'response'));
    const isWebkit = isOfWebkit(request);
    const headers = headersFrom(pairs(answer.rawHeaders), { target, isWebkit });
    let head = { status: answer.statusCode ?? 502, headers };
    const kind = kindFor(request.headers['sec-fetch-dest']);
    const policy = isWebkit ? 'require-corp' : 'credentialless';
    const encodings = answer.headers['content-encoding'];
    const decode = decodingOf(encodings);
    const isWanted = kind && site.wants(kind, head);
    if (isWanted && !decode)
      site.note(`${url} has no probes: it came as ${encodings}, which was not asked for`);
    if (isWanted && decode) {
      const sent = Buffer.concat(await answer.toArray());
      const body = await decode(sent).catch((/** @type {Error} */ error) => {
        site.note(`${url} has no probes: it cannot be read as ${encodings} (${error.message})`);
        return null;
      });
      // Browsers may take what is at the beginning.
      if (!body) return void response.writeHead(head.status, head.headers.flat()).end(sent);
      return send(response, await site.change(kind, url, { ...head, body }, policy));
    }
    if (kind === 'document' && 'location' in answer.headers) head = site.redirect(head, policy);
    response.writeHead(head.status, head.headers.flat());
    pipeline(answer, response, () => {});
  }

  // A connection tells visitors whether a page is there.
  server.keepAliveTimeout = 60_000;
  const { port, close } = await openOnLoopback(server);
  origin = `http://127.0.0.1:${port}`;
  return { origin, visitors, close };
}

/**
 * Its browsers have no `credentialless`, and no cookies that are Secure without TLS, not even on the loopback interface
 * (https://bugs.webkit.org/show_bug.cgi?id=281149).
 * @param {IncomingMessage} request
 */
function isOfWebkit({ headers }) {
  return !/(Chrome|Firefox)\//.test(headers['user-agent'] ?? '');
}

/** @param {IncomingMessage} request @returns {string} the proxy's, as the page knows it */
function originOf({ headers: { host } }) {
  return `http://${host}`;
}

/** @param {string} target @param {IncomingMessage} request */
function ask(target, request) {
  const origin = originOf(request);
  const { request: open } = target.startsWith('https:') ? https : http;
  const isUpgrade = request.headers.upgrade !== undefined;
  const fields = pairs(request.rawHeaders)
    .filter(
      ([name]) => (isUpgrade || !HOP_BY_HOP.test(name)) && !/^(host|accept-encoding|if-.*)$/i.test(name),
    )
    .map(([name, value]) => {
      if (/^(origin|referer)$/i.test(name)) return [name, value.replace(origin, target)];
      return [name, /^cookie$/i.test(name) ? value.replace(RENAMED, '') : value];
    });
  return open(`${target}${request.url}`, {
    method: request.method,
    lookup: lookupAsBrowsersDo,
    headers: [['host', new URL(target).host], ['accept-encoding', 'identity'], ...fields].flat(),
  });
}

/**
 * Names below localhost are this machine, whatever the system says of them: https://www.rfc-editor.org/rfc/rfc6761#section-6.3
 * @type {import('node:net').LookupFunction}
 */
function lookupAsBrowsersDo(hostname, options, callback) {
  lookup(hostname.replace(/^.*\.(?=localhost\.?$)/i, ''), options, callback);
}

/** Cookies of these names have to be Secure. */
const PREFIXED = /^(?=__(host|secure)-)/i;
const RENAMED = /(?<=^|;\s*)polyprof(?=__(host|secure)-)/gi;

/** For the proxy's address in place of the server's. @param {Headers} headers @param {{target: string, isWebkit: boolean}} between @returns {Headers} */
function headersFrom(headers, { target, isWebkit }) {
  return headers
    .filter(([name]) => !HOP_BY_HOP.test(name) && !/^strict-transport-security$/i.test(name))
    .map(([name, value]) => {
      if (/^location$/i.test(name)) return [name, withoutOrigin(value, target)];
      if (!/^set-cookie$/i.test(name)) return [name, value];
      const cookie = value.replace(/;\s*domain=[^;]*/gi, '');
      return [name, isWebkit ? withoutSecure(cookie) : cookie];
    });
}

/** @param {string} cookie */
function withoutSecure(cookie) {
  return cookie.replace(/;\s*(secure|samesite=none)(?=;|$)/gi, '').replace(PREFIXED, 'polyprof');
}

/** @param {string} address perhaps relative @param {string} origin @returns {string} on the same server, if it is there */
function withoutOrigin(address, origin) {
  const url = URL.canParse(address) ? new URL(address) : null;
  return url?.origin === origin ? url.href.slice(origin.length) : address;
}

/** @param {string[]} raw headers as Node has them @returns {Headers} */
function pairs(raw) {
  return raw.flatMap((name, i) =>
    i % 2 === 0 ? [/** @type {[string, string]} */ ([name, raw[i + 1]])] : [],
  );
}

/** @param {ServerResponse} response @param {Answer} answer */
function send(response, { status, headers, body }) {
  response.writeHead(status, [...headers, ['content-length', String(body.length)]].flat()).end(body);
}
