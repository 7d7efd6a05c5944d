import { pipeline } from 'node:stream';
import { fieldsOf } from './passed_on_headers.js';
import { askUpstream } from './upstream.js';

/** @import { IncomingMessage } from 'node:http' */
/** @import { Duplex } from 'node:stream' */

/**
 * Connects a WebSocket of the browser with the server that a proxy stands for.
 * @param {string} target origin of the server
 * @param {IncomingMessage} request that asks for it
 * @param {{socket: Duplex, head: Buffer}} browser `head`: what it has sent already
 * @param {(problem: string) => void} onProblem the server cannot be reached; a socket that it refuses is closed
 */
export function passWebSocketOn(target, request, { socket, head }, onProblem) {
  const upstream = askUpstream(target, request);
  socket.on('close', () => upstream.destroy());
  upstream.on('upgrade', (answer, serverSocket, serverHead) => {
    const lines = fieldsOf(answer).map(([name, value]) => `${name}: ${value}`);
    socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('\r\n')}\r\n\r\n`);
    if (serverHead.length > 0) socket.write(serverHead);
    if (head.length > 0) serverSocket.write(head);
    // What ends one of them, in whatever way, ends the other.
    pipeline(socket, serverSocket, socket, () => {});
  });
  upstream.on('response', () => socket.destroy());
  upstream.on('error', (error) => {
    if (socket.destroyed) return; // Nobody waits for it.
    const { hostname, port, protocol } = new URL(target);
    onProblem(`${protocol}//${hostname}:${port}${request.url}: ${error.message}`);
    socket.destroy();
  });
  upstream.end();
}
