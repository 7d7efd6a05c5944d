import { once } from 'node:events';

/**
 * Opens a server on a free port of the loopback interface.
 * @param {import('node:http').Server | import('node:https').Server} server
 * @returns {Promise<{port: number, close: () => Promise<void>}>} `close` waits for no connection
 */
export async function openOnLoopback(server) {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    port,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
