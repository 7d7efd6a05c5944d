import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import { gunzipSync } from 'node:zlib';
import { openOnLoopback } from '../../instrumenter/loopback.js';
import { OWN_PATH } from '../own_files.js';

/** @import { IncomingMessage, ServerResponse } from 'node:http' */
/** @import { Answer, Headers } from '../headers.js' */
/** @import { Outcome } from '../page_script.js' */
/** @import { InstrumentedSite, Kind } from '../site.js' */
/** @import { Leave } from '../drivers/driver.js' */

/** https://fetch.spec.whatwg.org/#destination-table @type {Record<string, Kind>} */
const KINDS = { document: 'document', iframe: 'document', frame: 'document', script: 'script' };

/** What holds for one connection only. */
const HOP_BY_HOP = /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/i;

/**
 * A server of its own that stands for another one, for browsers whose requests nobody can intercept: what it passes on has gone through
 * the site. It speaks HTTP on the loopback interface, which browsers take for secure.
 * @param {string} target origin
 * @param {InstrumentedSite} site
 * @param {Leave} leave
 * @returns {Promise<{origin: string, close: () => Promise<void>}>}
 */
export async function startProxy(target, site, leave) {
  let origin = '';
  const server = http.createServer((request, response) => {
    handle(request, response).catch((error) => {
      site.note(`${target}${request.url}: ${error.message}`);
      if (!response.headersSent) response.writeHead(502, { 'content-type': 'text/plain; charset=utf-8' });
      response.end(`polyprof: ${target} does not answer: ${error.message}`);
    });
  });
  server.on('upgrade', (request, socket, head) => {
    const { hostname, port, protocol } = new URL(target);
    const upstream = ask(target, request, origin);
    upstream.on('upgrade', (answer, other, rest) => {
      const lines = pairs(answer.rawHeaders).map(([name, value]) => `${name}: ${value}`);
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('\r\n')}\r\n\r\n`);
      if (rest.length > 0) socket.write(rest);
      if (head.length > 0) other.write(head);
      other.on('error', () => socket.destroy()).pipe(socket);
      socket.on('error', () => other.destroy()).pipe(other);
    });
    upstream.on('response', () => socket.destroy());
    upstream.on('error', (error) => {
      site.note(`${protocol}//${hostname}:${port}${request.url}: ${error.message}`);
      socket.destroy();
    });
    upstream.end();
  });

  /** @param {IncomingMessage} request @param {ServerResponse} response */
  async function handle(request, response) {
    const url = `${origin}${request.url}`;
    if (request.url?.startsWith(`${OWN_PATH}left-`)) {
      leave(JSON.stringify(outcomeOf(Buffer.concat(await request.toArray()), request, site)));
      response.writeHead(204).end();
      return;
    }
    const own = site.ownAnswer(url);
    if (own) return send(response, await own);
    const upstream = ask(target, request, origin);
    request.pipe(upstream);
    const [answer] = /** @type {[IncomingMessage]} */ (await once(upstream, 'response'));
    const head = { status: answer.statusCode ?? 502, headers: headersFrom(pairs(answer.rawHeaders), target) };
    const kind = KINDS[String(request.headers['sec-fetch-dest'])];
    if (kind && site.wants(kind, head)) {
      return send(
        response,
        await site.change(kind, url, { ...head, body: Buffer.concat(await answer.toArray()) }),
      );
    }
    response.writeHead(head.status, head.headers.flat());
    answer.on('error', () => response.destroy()).pipe(response);
  }

  const { port, close } = await openOnLoopback(server);
  origin = `http://127.0.0.1:${port}`;
  return { origin, close };
}

/** @param {string} target @param {IncomingMessage} request @param {string} origin of the proxy */
function ask(target, request, origin) {
  const { request: open } = target.startsWith('https:') ? https : http;
  const isUpgrade = request.headers.upgrade !== undefined;
  const fields = pairs(request.rawHeaders)
    .filter(
      ([name]) => (isUpgrade || !HOP_BY_HOP.test(name)) && !/^(host|accept-encoding|if-.*)$/i.test(name),
    )
    .map(([name, value]) => [name, /^(origin|referer)$/i.test(name) ? value.replace(origin, target) : value]);
  return open(`${target}${request.url}`, {
    method: request.method,
    headers: [['host', new URL(target).host], ['accept-encoding', 'identity'], ...fields].flat(),
  });
}

/** For the proxy's address in place of the server's. @param {Headers} headers @param {string} target @returns {Headers} */
function headersFrom(headers, target) {
  return headers
    .filter(([name]) => !HOP_BY_HOP.test(name) && !/^strict-transport-security$/i.test(name))
    .map(([name, value]) => {
      if (/^location$/i.test(name) && value.startsWith(`${target}/`))
        return [name, value.slice(target.length)];
      if (!/^set-cookie$/i.test(name)) return [name, value];
      // Without TLS, and of another host.
      return [name, value.replace(/;\s*(secure|domain=[^;]*|samesite=none)(?=;|$)/gi, '')];
    });
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

/**
 * A trace that came by beacon, which has nothing beside it.
 * @param {Buffer} body @param {IncomingMessage} request @param {InstrumentedSite} site @returns {Outcome}
 */
function outcomeOf(body, request, site) {
  const isPacked = request.headers['content-type'] === 'application/gzip';
  const { olderSamples = 0, ...trace } = JSON.parse((isPacked ? gunzipSync(body) : body).toString());
  const url = request.headers.referer ?? '';
  if (olderSamples > 0) {
    site.note(`${url} was left with more samples than fit into a beacon: older ones may be missing`);
  }
  const id = /left-(\d+)/.exec(request.url ?? '')?.[1] ?? '';
  return {
    trace,
    mode: 'left',
    losses: {},
    sampleInterval: site.sampleInterval,
    url,
    userAgent: request.headers['user-agent'] ?? '',
    timeOrigin: site.servedAt(id),
    full: false,
    scripts: 1,
    blocked: [],
    serviceWorker: '',
    refusedServiceWorker: '',
  };
}
