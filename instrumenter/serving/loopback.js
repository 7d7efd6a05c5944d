import { once } from 'node:events';

/** @typedef {import('node:net').Socket} Socket */

/**
 * Opens a server on the loopback interface.
 * @param {import('node:http').Server | import('node:https').Server} server
 * @param {number} [wanted] port, if it is free; else, and by default, any that is
 * @returns {Promise<{port: number, close: () => Promise<void>}>} `close` waits for no connection
 */
export async function openOnLoopback(server, wanted = 0) {
  /** The server itself forgets those that have become WebSockets, and yet waits for their end. @type {Set<Socket>} */
  const sockets = new Set();
  server.on('connection', (/** @type {Socket} */ socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await listen(server, wanted).catch((error) => {
    if (wanted === 0 || error.code !== 'EADDRINUSE') throw error;
    return listen(server, 0);
  });
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

/** @param {import('node:net').Server} server @param {number} port */
async function listen(server, port) {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
}
