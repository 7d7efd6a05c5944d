import { isUtf8 } from 'node:buffer';
import { createReadStream, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { openOnLoopback } from './loopback.js';

const MEDIA_TYPES = /** @type {Record<string, string>} */ ({
  '.avif': 'image/avif',
  '.cjs': 'text/javascript',
  '.css': 'text/css',
  '.gif': 'image/gif',
  '.htm': 'text/html',
  '.html': 'text/html',
  '.ico': 'image/x-icon',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.map': 'application/json',
  '.mjs': 'text/javascript',
  '.mp4': 'video/mp4',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain',
  '.wasm': 'application/wasm',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
});

/** With these a page is cross-origin isolated, as one should be that is profiled. */
export const ISOLATED = Object.freeze({
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
});

/**
 * Serves a folder on the loopback interface.
 * @param {string} folder
 * @param {Record<string, string>} [headers] of each answer, on top of the usual ones
 * @returns {Promise<{origin: string, close: () => Promise<void>}>}
 */
export async function serveFolder(folder, headers = {}) {
  const server = createServer((request, response) => {
    const file = fileOf(folder, request.url ?? '/');
    if (!file) {
      response.writeHead(404, { 'content-type': 'text/plain', ...headers }).end('not found');
      return;
    }
    send(response, file, headers).catch(() => response.destroy());
  });
  const { port, close } = await openOnLoopback(server);
  return { origin: `http://127.0.0.1:${port}`, close };
}

/** @param {import('node:http').ServerResponse} response @param {string} file @param {Record<string, string>} headers */
async function send(response, file, headers) {
  const type = MEDIA_TYPES[extname(file).toLowerCase()] ?? 'application/octet-stream';
  const text = type.startsWith('text/') ? await readFile(file) : null;
  response.writeHead(200, {
    // Any other encoding is for the page to say.
    'content-type': text && isUtf8(text) ? `${type}; charset=utf-8` : type,
    'cache-control': 'no-store',
    ...headers,
  });
  if (text) response.end(text);
  else
    createReadStream(file)
      .on('error', () => response.destroy())
      .pipe(response);
}

/** @param {string} folder @param {string} url @returns {string | undefined} also if it is no name that a file can have */
function fileOf(folder, url) {
  try {
    // As an absolute path it cannot lead out of the folder.
    const path = normalize(`/${decodeURIComponent(new URL(url, 'http://localhost').pathname)}`);
    const file = join(folder, path.endsWith('/') ? `${path}index.html` : path);
    return statSync(file).isFile() ? file : undefined;
  } catch {
    return undefined;
  }
}
