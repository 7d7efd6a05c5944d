import http from 'node:http';
import { openOnLoopback } from '../../instrumenter/serving/loopback.js';

/** A connection tells whether a page is there. */
export const KEEP_ALIVE_MS = 60_000;

/**
 * A server for what is not answered at once. Browsers have six connections at a time to a port: six frames, or tabs, that wait at the page's own would keep
 * it from all else, also from what they wait for.
 * @param {(request: http.IncomingMessage, response: http.ServerResponse) => Promise<boolean>} answer false: it is nothing to wait for; rejects before it answers
 * @returns {Promise<{origin: string, close: () => Promise<void>}>} `close` waits for no connection
 */
export async function openWaitingRoom(answer) {
  const server = http.createServer(async (request, response) => {
    const isAnswered = await answer(request, response).catch(() => false);
    if (!isAnswered) response.writeHead(404).end();
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  const { port, close } = await openOnLoopback(server);
  return { origin: `http://127.0.0.1:${port}`, close };
}
