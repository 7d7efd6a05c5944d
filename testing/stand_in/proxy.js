import { once } from 'node:events';
import http from 'node:http';
import { pipeline } from 'node:stream';
import { openOnLoopback } from '../../instrumenter/serving/loopback.js';
import { kindFor } from '../kinds.js';
import { OWN_PATH } from '../own_files.js';
import { decodingOf } from './decoding.js';
import { fieldsOf, fieldsToBrowser } from './passed_on_headers.js';
import { askUpstream, originOf } from './upstream.js';
import { Visitors } from './visitors.js';
import { KEEP_ALIVE_MS, openWaitingRoom } from './waiting_room.js';
import { passWebSocketOn } from './web_sockets.js';

/** @import { IncomingMessage, ServerResponse } from 'node:http' */
/** @import { Answer } from '../headers.js' */
/** @import { InstrumentedSite } from '../site.js' */
/** @import { Leave } from '../drivers/driver.js' */

/**
 * A proxy in front of another server, for browsers whose requests we cannot intercept. Every response passes through the `InstrumentedSite`, which puts probes
 * into it. The proxy speaks HTTP on the loopback interface, which browsers treat as secure.
 * @param {string} target origin
 * @param {InstrumentedSite} site
 * @param {Leave} leave
 * @returns {Promise<{origin: string, visitors: Visitors, close: () => Promise<void>}>} `close` waits for no connection
 */
export async function startProxy(target, site, leave) {
  /** @type {string[]} */
  let origins = [];
  // Else any site could be given our address, and read what the other server has.
  const isForUs = (/** @type {IncomingMessage} */ request) => origins.includes(originOf(request));
  const visitors = new Visitors(site, leave);
  const server = http.createServer(async (request, response) => {
    if (!isForUs(request)) return void response.writeHead(403).end();
    try {
      if (await visitors.answer(ownName(request), request, response)) return;
      const own = site.ownAnswer(addressOf(request));
      await (own ? send(response, await own) : passOn(target, site, request, response));
    } catch (error) {
      if (response.destroyed) return; // Nobody waits for it.
      const { message } = /** @type {Error} */ (error);
      site.note(`${target}${request.url}: ${message}`);
      if (!response.headersSent) response.writeHead(502, { 'content-type': 'text/plain; charset=utf-8' });
      response.end(`polyprof: ${target} does not answer: ${message}`);
    }
  });
  server.on('upgrade', (request, socket, head) => {
    // Nobody else listens to it from here on, and its errors would end this process.
    socket.on('error', () => {});
    if (!isForUs(request)) return void socket.destroy();
    passWebSocketOn(target, request, { socket, head }, (problem) => site.note(problem));
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  const { port, close } = await openOnLoopback(server);
  origins = ['127.0.0.1', 'localhost'].map((host) => `http://${host}:${port}`);
  visitors.origins = origins;
  const ours = new RegExp(`http://[\\w.]+:${port}(?!\\d)`, 'g');
  site.named = (note) => note.replace(ours, target);
  const rooms = {
    untilReady: await openWaitingRoom(async (request, response) => {
      const own = ownName(request).startsWith('ready-')
        ? await site.ownAnswer(addressOf(request), !isOfFirefox(request))
        : null;
      if (own) send(response, own);
      return Boolean(own);
    }),
    untilAsked: await openWaitingRoom(async (request, response) => {
      response.setHeader('access-control-allow-origin', request.headers.origin ?? '');
      return visitors.answer(ownName(request), request, response);
    }),
  };
  site.waitingRooms = { untilReady: rooms.untilReady.origin, untilAsked: rooms.untilAsked.origin };
  return {
    origin: origins[0],
    visitors,
    async close() {
      await Promise.all([close(), ...Object.values(rooms).map((room) => room.close())]);
    },
  };
}

/** @param {IncomingMessage} request @returns {string} of one of our own files, with its query; empty: it asks for something else */
function ownName({ url = '' }) {
  return url.startsWith(OWN_PATH) ? url.slice(OWN_PATH.length) : '';
}

/** @param {IncomingMessage} request */
function addressOf(request) {
  return `${originOf(request)}${request.url}`;
}

/**
 * Answers with what the server does, made ready to be profiled.
 * @param {string} target origin of the server
 * @param {InstrumentedSite} site
 * @param {IncomingMessage} request
 * @param {ServerResponse} response
 * @returns {Promise<void>} rejects when the server cannot be reached
 */
async function passOn(target, site, request, response) {
  const answer = await upstreamAnswer(target, request, response);
  const isWebkit = isOfWebkit(request);
  const policy = isWebkit ? 'require-corp' : 'credentialless';
  const headers = fieldsToBrowser(fieldsOf(answer), { target, isWebkit });
  const head = { status: answer.statusCode ?? 502, headers };
  const kind = kindFor(request.headers['sec-fetch-dest']);
  if (kind && site.wants(kind, head)) {
    const url = addressOf(request);
    const encodings = answer.headers['content-encoding'];
    const decode = decodingOf(encodings);
    if (decode) {
      const sent = Buffer.concat(await answer.toArray());
      const body = await decode(sent).catch((/** @type {Error} */ error) => {
        site.note(`${url} has no probes: it cannot be read as ${encodings} (${error.message})`);
        return null;
      });
      if (body) return send(response, await site.change(kind, url, { ...head, body }, policy));
      // Browsers may take what is at the beginning.
      return void response.writeHead(head.status, head.headers.flat()).end(sent);
    }
    site.note(`${url} has no probes: it came as ${encodings}, which was not asked for`);
  }
  const passedOn = kind === 'document' ? site.isolated(head, policy) : head;
  response.writeHead(passedOn.status, answer.statusMessage, passedOn.headers.flat());
  pipeline(answer, response, () => {});
}

/** @param {string} target @param {IncomingMessage} request @param {ServerResponse} response that waits for it @returns {Promise<IncomingMessage>} */
async function upstreamAnswer(target, request, response) {
  const upstream = askUpstream(target, request);
  response.on('close', () => upstream.destroy());
  // A connection may be reset in the middle of an answer, when nobody waits for the request any more.
  upstream.on('response', (answer) => upstream.on('error', (error) => answer.destroy(error)));
  request.pipe(upstream);
  const [answer] = /** @type {[IncomingMessage]} */ (await once(upstream, 'response'));
  return answer;
}

/**
 * Its browsers have no `credentialless`, and no cookies that are Secure without TLS, not even on the loopback interface
 * (https://bugs.webkit.org/show_bug.cgi?id=281149).
 * @param {IncomingMessage} request
 */
function isOfWebkit({ headers }) {
  return !/(Chrome|Firefox)\//.test(headers['user-agent'] ?? '');
}

/** @param {IncomingMessage} request */
function isOfFirefox({ headers }) {
  return headers['user-agent']?.includes('Firefox/') ?? false;
}

/** @param {ServerResponse} response @param {Answer} answer */
function send(response, { status, headers, body }) {
  response.writeHead(status, [...headers, ['content-length', String(body.length)]].flat()).end(body);
}
