import { createServer } from 'node:http';
import { TraceError } from '../report/reading/trace_error.js';
import { readBody } from './read_body.js';
import { RecentIds } from './recent_ids.js';
import { Refusal } from './refusal.js';
import { traceLines } from './trace_lines.js';

/** @import { IncomingMessage, Server, ServerResponse } from 'node:http' */
/** @import { RateLimit } from './rate_limit.js' */
/** @import { TraceStore } from './trace_store.js' */

/**
 * @typedef {object} ReceiverOptions
 * @property {string[]} [origins] of pages that may send; undefined: all
 * @property {RateLimit} rateLimit
 * @property {boolean} trustProxy
 * @property {number} maxBytes of a body, packed and unpacked
 * @property {(message: string) => void} onProblem
 */

/** A body is some kB: whoever takes longer keeps a connection for nothing. */
const REQUEST_MS = 30_000;

/** What is left of a body that was refused may take so long. */
const REFUSED_MS = 2000;

/** Bodies in memory, from their arrival to the disk. */
const MAX_PENDING_BYTES = 128 * 2 ** 20;

/** What a sender does best when the disk is full or too much is on its way. */
const RETRY_SECONDS = 30;

/** How long a browser may remember what it was allowed. */
const PREFLIGHT_SECONDS = 86_400;

/**
 * Takes traces by POST at any path, in any form that `polyprof report` reads. Answers 204 when they are stored; what was sent before with the
 * same `id` is not stored again.
 * @param {TraceStore} store
 * @param {ReceiverOptions} options
 * @returns {Server} that does not listen yet
 */
export function createReceiver(store, options) {
  const ids = new RecentIds();
  let pendingBytes = 0;
  let lastProblem = '';

  const server = createServer({ requestTimeout: REQUEST_MS }, async (request, response) => {
    setOrigin(request, response);
    if (!server.listening) response.setHeader('Connection', 'close');
    try {
      await answer(request, response);
    } catch (error) {
      refuse(request, response, error);
    }
  });
  return server;

  /** @param {IncomingMessage} request @param {ServerResponse} response */
  async function answer(request, response) {
    if (request.method === 'OPTIONS') return preflight(response);
    if (request.url === '/health' && /^(GET|HEAD)$/.test(request.method ?? '')) return response.end('ok\n');
    if (request.method !== 'POST') {
      throw new Refusal(405, 'send traces by POST; GET /health tells whether the receiver runs', {
        Allow: 'POST, OPTIONS',
      });
    }
    const { origin } = request.headers;
    if (origin !== undefined && options.origins?.includes(origin) === false) {
      throw new Refusal(403, `pages of ${origin} may not send here: see --origin`);
    }
    const wait = options.rateLimit.take(addressOf(request, options.trustProxy), performance.now());
    if (wait > 0) throw new Refusal(429, 'too many requests from this address', { 'Retry-After': wait });
    if (pendingBytes >= MAX_PENDING_BYTES) {
      throw new Refusal(503, 'too much is on its way', { 'Retry-After': RETRY_SECONDS });
    }
    let bytes = 0;
    try {
      const body = await readBody(request, options.maxBytes, (more) => {
        bytes += more;
        pendingBytes += more;
      });
      await stored(body);
    } finally {
      pendingBytes -= bytes;
    }
    response.writeHead(204).end();
  }

  /** @param {Buffer} body */
  async function stored(body) {
    const lines = traceLines(body, new Date());
    try {
      await Promise.all(
        lines.map(({ id, text }) =>
          id === undefined ? store.append([text]) : ids.once(id, () => store.append([text])),
        ),
      );
      lastProblem = '';
    } catch (error) {
      const { message } = /** @type {Error} */ (error);
      // A full disk is said once, not by each request.
      if (message !== lastProblem) options.onProblem(`traces cannot be stored (${message})`);
      lastProblem = message;
      throw new Refusal(503, 'traces cannot be stored now', { 'Retry-After': RETRY_SECONDS });
    }
  }

  /** @param {IncomingMessage} request @param {ServerResponse} response @param {unknown} error */
  function refuse(request, response, error) {
    if (request.destroyed && !request.complete) return; // Nobody is there.
    const { status, message, headers } =
      error instanceof TraceError ? new Refusal(400, error.message) : refusalOf(error, options.onProblem);
    if (!request.complete) listenOn(request);
    response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', ...headers });
    response.end(`${message}\n`);
  }
}

/** Reads the rest of a refused request: a client that is still sending would miss the response if the connection were closed at once. @param {IncomingMessage} request */
function listenOn(request) {
  request.resume();
  const timer = setTimeout(() => request.destroy(), REFUSED_MS);
  request.once('close', () => clearTimeout(timer));
}

/** @param {unknown} error @param {(message: string) => void} onProblem */
function refusalOf(error, onProblem) {
  if (error instanceof Refusal) return error;
  onProblem(`a request failed (${/** @type {Error} */ (error).stack})`);
  return new Refusal(500, 'this should not happen');
}

/**
 * Pages of any origin may read the answer: those that may not send learn that from it, and stop. Beacons come with credentials, for which
 * browsers want the origin by name.
 * @param {IncomingMessage} request @param {ServerResponse} response
 */
function setOrigin({ headers: { origin } }, response) {
  response.setHeader('Vary', 'Origin');
  if (origin === undefined) return;
  response.setHeader('Access-Control-Allow-Origin', origin);
  response.setHeader('Access-Control-Allow-Credentials', 'true');
  response.setHeader('Access-Control-Expose-Headers', 'Retry-After');
}

/** @param {ServerResponse} response */
function preflight(response) {
  response.writeHead(204, {
    'Access-Control-Allow-Methods': 'POST',
    'Access-Control-Allow-Headers': 'Content-Type, Content-Encoding',
    'Access-Control-Max-Age': PREFLIGHT_SECONDS,
  });
  response.end();
}

/** @param {IncomingMessage} request @param {boolean} trustProxy */
function addressOf(request, trustProxy) {
  const forwarded = trustProxy ? request.headers['x-forwarded-for'] : undefined;
  const last = [forwarded ?? []].flat().join(',').split(',').at(-1)?.trim();
  return last ? withoutPort(last) : (request.socket.remoteAddress ?? '');
}

/** Some proxies add the port, which each connection has another of. @param {string} node as of https://www.rfc-editor.org/rfc/rfc7239#section-6 */
function withoutPort(node) {
  return node.replace(/^\[(.*)\](:\d+)?$|^([^:]+):\d+$/, '$1$3');
}
