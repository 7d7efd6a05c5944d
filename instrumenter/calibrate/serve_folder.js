import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';

const MEDIA_TYPES = /** @type {Record<string, string>} */ ({
  '.css': 'text/css; charset=utf-8',
  '.cjs': 'text/javascript; charset=utf-8',
  '.htm': 'text/html; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.webp': 'image/webp',
});

/**
 * Serves a folder on the loopback interface, isolated as pages should be that are profiled.
 * @param {string} folder
 * @returns {Promise<{origin: string, close: () => void}>}
 */
export async function serveFolder(folder) {
  const server = createServer(async (request, response) => {
    let status = 200;
    let content;
    let path = '/';
    try {
      path = decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname);
      const file = normalize(`/${path}`);
      content = await readFile(join(folder, path.endsWith('/') ? join(file, 'index.html') : file));
    } catch (error) {
      status = /^(ENOENT|EISDIR|ENOTDIR)$/.test(/** @type {any} */ (error).code) ? 404 : 400;
      content = `no file for ${path}`;
    }
    response.writeHead(status, {
      'Content-Type':
        MEDIA_TYPES[extname(path.endsWith('/') ? 'index.html' : path)] ?? 'application/octet-stream',
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Embedder-Policy': 'require-corp',
    });
    response.end(content);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    origin: `http://127.0.0.1:${port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
