import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';

const FOLDER = new URL('../run/', import.meta.url);

/** The app of the example `run`, as any server would serve it: without probes, without special headers. */
export async function serveSite() {
  const server = createServer(async (request, response) => {
    const name = request.url === '/primes.js' ? 'primes.js' : 'index.html';
    const type = name.endsWith('.js') ? 'text/javascript' : 'text/html';
    response.writeHead(200, { 'Content-Type': type }).end(await readFile(new URL(name, FOLDER)));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
