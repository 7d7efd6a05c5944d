/** @import { IncomingMessage, ServerResponse } from 'node:http' */

/** How a receiver lets pages of other origins send, and read what it answers. */

/** How long a browser may remember what it was allowed. */
const PREFLIGHT_SECONDS = 86_400;

/**
 * Pages of any origin may read the answer: those that may not send learn that from it, and stop. Beacons come with credentials, for which
 * browsers want the origin by name.
 * @param {IncomingMessage} request @param {ServerResponse} response whose headers are not sent yet
 */
export function allowReading({ headers: { origin } }, response) {
  response.setHeader('Vary', 'Origin');
  if (origin === undefined) return;
  response.setHeader('Access-Control-Allow-Origin', origin);
  response.setHeader('Access-Control-Allow-Credentials', 'true');
  response.setHeader('Access-Control-Expose-Headers', 'Retry-After');
}

/** Answers what browsers ask before they send a body that is no text. @param {ServerResponse} response */
export function answerPreflight(response) {
  response.writeHead(204, {
    'Access-Control-Allow-Methods': 'POST',
    'Access-Control-Allow-Headers': 'Content-Type, Content-Encoding',
    'Access-Control-Max-Age': PREFLIGHT_SECONDS,
  });
  response.end();
}
