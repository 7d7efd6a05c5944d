import esbuild from 'esbuild';
import { serve } from './server.js';

/**
 * A site that makes it hard to put probes into it: a Content-Security-Policy, digests of scripts, a script and a frame from another site,
 * a redirect, minified code. Each of its functions runs for a known time.
 */

/**
 * @param {string} name
 * @param {number} ms
 * @returns {string} source of a function that runs for that long, or for longer if the machine is busy: `ran[name]` says
 */
export const spin = (name, ms) => `function ${name}() {
  const begin = performance.now();
  let x = 0;
  while (performance.now() < begin + ${ms}) {
    x += Math.random() - Math.random();
    x += Math.random() - Math.random();
    x += Math.random() - Math.random();
  }
  (globalThis.ran ??= {}).${name} = performance.now() - begin;
  return x;
}
`;

const BUNDLE = esbuild.transformSync(
  `// A line more, so that lines differ.\n${spin('inBundle', 200)}inBundle();globalThis.bundled = true;`,
  {
    minify: true,
    sourcemap: 'external',
    sourcefile: '../src/bundle.ts',
    format: 'iife',
  },
);

const POLICY = (/** @type {string} */ other) =>
  `default-src 'self'; script-src 'self' 'unsafe-inline' ${other}; frame-src ${other}`;

/** What a visit of `/`, and from there of `/second`, takes in ms at the least, by function. */
export const TRUTH = { inBundle: 400, fromElsewhere: 200, inline: 200 };

/**
 * @returns {Promise<{origin: string, requests: import('./server.js').Recorded[], close: () => Promise<void>}>}
 */
export async function serveProfiledSite() {
  const elsewhere = await serve({
    folders: {},
    isolated: false,
    overrides: {
      '/elsewhere.js': { body: spin('fromElsewhere', 100) },
      '/frame.html': { body: `<script>parent.postMessage('loaded', '*')</script>` },
    },
  });
  const other = elsewhere.origin.replace('127.0.0.1', 'localhost');
  const page = (/** @type {string} */ title) => `<!doctype html>
<html><head><title>${title}</title>
<meta http-equiv="Content-Security-Policy" content="${POLICY(other)}">
<script>addEventListener('message', ({ data }) => (globalThis.frame = data))</script>
<script src="/app/bundle.js?v=1" integrity="sha256-${'A'.repeat(43)}="></script>
<script src="${other}/elsewhere.js"></script></head>
<body><iframe src="${other}/frame.html"></iframe>
<script>${spin('inline', 100)} inline(); fromElsewhere();</script>
<a href="/moved">next</a><button onclick="inBundle?.()">again</button></body></html>`;
  const html = { 'Content-Type': 'text/html' };
  const site = await serve({
    folders: {},
    isolated: false,
    csp: POLICY(other),
    overrides: {
      '/': { body: page('first'), headers: html },
      '/second': { body: page('second'), headers: html },
      '/moved': { status: 302, headers: { Location: '/second', 'Set-Cookie': 'visited=yes; Path=/' } },
      '/app/bundle.js': { body: `${BUNDLE.code}//# sourceMappingURL=maps/bundle.js.map\n` },
      '/app/maps/bundle.js.map': { body: BUNDLE.map },
      '/api': { body: '{"from": "server"}', headers: { 'Content-Type': 'application/json' } },
      '/without.html': { body: '<title>no scripts</title>', headers: html },
    },
  });
  return {
    origin: site.origin,
    requests: site.requests,
    async close() {
      await site.close();
      await elsewhere.close();
    },
  };
}
