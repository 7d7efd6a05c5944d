import { createServer } from 'node:http';
import { TraceError } from '../report/reading/trace_error.js';
import { allowReading, answerPreflight } from './cross_origin.js';
import { Intake } from './intake.js';
import { Refusal } from './refusal.js';
import { senderAddress } from './sender_address.js';

/** @import { IncomingMessage, Server, ServerResponse } from 'node:http' */
/** @import { IntakeOptions } from './intake.js' */
/** @import { RateLimit } from './rate_limit.js' */
/** @import { TraceStore } from './trace_store.js' */

/**
 * @typedef {object} SenderRules who may send, and how often
 * @property {string[]} [origins] of pages that may send; undefined: all
 * @property {RateLimit} rateLimit
 * @property {boolean} trustProxy addresses are told apart by what a proxy says of them
 *
 * @typedef {SenderRules & IntakeOptions} ReceiverOptions
 */

/** A body is some kB: whoever takes longer keeps a connection for nothing. */
const REQUEST_MS = 30_000;

/** What is left of a body that was refused may take so long. */
const REFUSED_MS = 2000;

/**
 * Takes traces by POST at any path, in any form that `polyprof report` reads. Answers 204 when they are stored; what was sent before with the
 * same `id` is not stored again.
 * @param {TraceStore} store
 * @param {ReceiverOptions} options
 * @returns {Server} that does not listen yet
 */
export function createReceiver(store, options) {
  const intake = new Intake(store, options);
  const server = createServer({ requestTimeout: REQUEST_MS }, async (request, response) => {
    allowReading(request, response);
    if (!server.listening) response.setHeader('Connection', 'close');
    try {
      await answer(request, response);
    } catch (error) {
      const isGone = request.destroyed && !request.complete;
      if (!isGone) refuse(request, response, refusalOf(error, options.onProblem));
    }
  });
  return server;

  /** @param {IncomingMessage} request @param {ServerResponse} response @throws {Refusal | TraceError} */
  async function answer(request, response) {
    if (request.method === 'OPTIONS') return answerPreflight(response);
    if (request.url === '/health' && /^(GET|HEAD)$/.test(request.method ?? '')) return response.end('ok\n');
    assertMaySend(request, options);
    await intake.take(request);
    response.writeHead(204).end();
  }
}

/** @param {IncomingMessage} request @param {SenderRules} rules @throws {Refusal} */
function assertMaySend(request, { origins, rateLimit, trustProxy }) {
  if (request.method !== 'POST') {
    throw new Refusal(405, 'send traces by POST; GET /health tells whether the receiver runs', {
      Allow: 'POST, OPTIONS',
    });
  }
  const { origin } = request.headers;
  if (origin !== undefined && origins?.includes(origin) === false) {
    throw new Refusal(403, `pages of ${origin} may not send here: see --origin`);
  }
  const wait = rateLimit.take(senderAddress(request, trustProxy), performance.now());
  if (wait > 0) throw new Refusal(429, 'too many requests from this address', { 'Retry-After': wait });
}

/** @param {unknown} error @param {(message: string) => void} onProblem is told of what is no fault of the sender */
function refusalOf(error, onProblem) {
  if (error instanceof Refusal) return error;
  if (error instanceof TraceError) return new Refusal(400, error.message);
  onProblem(`a request failed (${/** @type {Error} */ (error).stack})`);
  return new Refusal(500, 'this should not happen');
}

/** @param {IncomingMessage} request @param {ServerResponse} response @param {Refusal} refusal */
function refuse(request, response, { status, message, headers }) {
  if (!request.complete) readTheRest(request);
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', ...headers });
  response.end(`${message}\n`);
}

/** Of a refused request: a client that is still sending would miss the response if the connection were closed at once. @param {IncomingMessage} request */
function readTheRest(request) {
  request.resume();
  const timer = setTimeout(() => request.destroy(), REFUSED_MS);
  request.once('close', () => clearTimeout(timer));
}
