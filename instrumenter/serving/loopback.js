import { once } from 'node:events';

/** @typedef {import('node:net').Socket} Socket */

/**
 * Opens a server on a free port of the loopback interface.
 * @param {import('node:http').Server | import('node:https').Server} server
 * @returns {Promise<{port: number, close: () => Promise<void>}>} `close` waits for no connection
 */
export async function openOnLoopback(server) {
  /** The server itself forgets those that have become WebSockets, and yet waits for their end. @type {Set<Socket>} */
  const sockets = new Set();
  server.on('connection', (/** @type {Socket} */ socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    port,
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
