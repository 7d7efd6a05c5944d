import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { openOnLoopback } from '../../instrumenter/serving/loopback.js';

/**
 * A static server for tests, on the loopback interface and a free port. Two of them are two origins.
 */

const MIME_TYPES = /** @type {Record<string, string>} */ ({
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
});

/** What a path that ends in a slash stands for. */
const INDEX = 'index.html';

/**
 * @typedef {object} Override what one path answers in place of its file
 * @property {number} [status]
 * @property {string | Uint8Array} [body] in place of the file's bytes
 * @property {Record<string, string>} [headers] on top of the usual ones
 * @property {Promise<unknown>} [after] the answer waits for it: a test decides when a slow file arrives
 */

/**
 * @typedef {object} ServeOptions
 * @property {Record<string, string>} folders folder by URL prefix, e.g. `{'/': pages, '/dist/': dist}`; the longest prefix counts
 * @property {boolean} [isolated] with the headers that make a page cross-origin isolated; true by default
 * @property {boolean} [jsProfiling] with `Document-Policy: js-profiling`, which allows Chromium's own Profiler
 * @property {string} [csp] Content-Security-Policy
 * @property {Record<string, string>} [headers] more headers of each answer
 * @property {Record<string, Override>} [overrides] by path, or path and query
 * @property {number} [port] where it is to listen if nobody else does
 */

/** @typedef {{method: string, path: string, headers: import('node:http').IncomingHttpHeaders, body: Buffer}} Recorded */

/**
 * @typedef {object} Server
 * @property {string} origin
 * @property {number} port
 * @property {(path: string) => string} url of an absolute path
 * @property {Recorded[]} requests all so far, in order of arrival; a POST (answered with 204) has its body
 * @property {(matches: (request: Recorded) => boolean) => Promise<Recorded>} request
 *   the first one that matches, also one that came before
 * @property {(path: string, override: Override | undefined) => void} override sets or, with undefined, removes
 * @property {() => Promise<void>} close
 */

/** @param {ServeOptions} options @returns {Promise<Server>} once it listens */
export async function serve(options) {
  const overrides = new Map(Object.entries(options.overrides ?? {}));
  const headers = fixedHeaders(options);
  /** @type {Recorded[]} */
  const requests = [];
  /** @type {Set<() => void>} */
  const watchers = new Set();

  const server = createServer(async (request, response) => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://localhost');
    const path = decodeURIComponent(pathname);
    const body = Buffer.concat(await request.toArray());
    requests.push({ method: request.method ?? '', path, headers: request.headers, body });
    for (const watcher of watchers) watcher();
    const override = overrides.get(path + search) ?? overrides.get(path) ?? {};
    await override.after;
    const { status, content } = await answer(request.method, path, options.folders, override);
    const name = path.endsWith('/') ? INDEX : path;
    response.writeHead(status, {
      ...headers,
      'Content-Type': MIME_TYPES[extname(name)] ?? 'application/octet-stream',
      ...override.headers,
    });
    response.end(content);
  });
  const { port, close } = await openOnLoopback(server, options.port);
  const origin = `http://127.0.0.1:${port}`;

  return {
    origin,
    port,
    url: (path) => new URL(path, origin).href,
    requests,
    request: (matches) =>
      new Promise((resolve) => {
        const look = () => {
          const found = requests.find(matches);
          if (!found) return;
          watchers.delete(look);
          resolve(found);
        };
        watchers.add(look);
        look();
      }),
    override(path, override) {
      if (override) overrides.set(path, override);
      else overrides.delete(path);
    },
    close,
  };
}

/** @param {ServeOptions} options @returns {Record<string, string>} */
function fixedHeaders({ isolated = true, jsProfiling = false, csp, headers }) {
  return {
    // A test must get what the server has now, not what an earlier test got.
    'Cache-Control': 'no-store',
    ...(isolated && {
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Embedder-Policy': 'require-corp',
    }),
    ...(jsProfiling && { 'Document-Policy': 'js-profiling' }),
    ...(csp && { 'Content-Security-Policy': csp }),
    ...headers,
  };
}

/**
 * @param {string | undefined} method
 * @param {string} path
 * @param {Record<string, string>} folders
 * @param {Override} override
 * @returns {Promise<{status: number, content: string | Uint8Array}>}
 */
async function answer(method, path, folders, override) {
  if (override.status !== undefined || override.body !== undefined) {
    return { status: override.status ?? 200, content: override.body ?? '' };
  }
  if (method === 'POST') return { status: 204, content: '' };
  const file = fileOf(path, folders);
  try {
    if (file) return { status: 200, content: await readFile(file) };
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code !== 'ENOENT' && code !== 'EISDIR') return { status: 500, content: String(error) };
  }
  return { status: 404, content: `no file for ${path}` };
}

/** @param {string} path @param {Record<string, string>} folders @returns {string | undefined} */
function fileOf(path, folders) {
  const prefix = Object.keys(folders)
    .filter((candidate) => path.startsWith(candidate))
    .sort((a, b) => b.length - a.length)[0];
  if (prefix === undefined) return undefined;
  const rest = normalize(`/${path.slice(prefix.length)}`);
  return join(folders[prefix], rest.endsWith('/') ? rest + INDEX : rest);
}
