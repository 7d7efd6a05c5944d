import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { instrument } from '../../instrumenter/instrument.js';
import { DEFAULT_MIN_WEIGHTS, PROBE_KINDS } from '../../instrumenter/options.js';
import { ROOT } from '../lib/folders.js';
import { count, optional, readOptions } from '../lib/options.js';

/** How much probes add to real bundles, minified as for production. */

const BUNDLES = {
  'react-dom': `export * from 'react'; export * from 'react-dom'; export * from 'react-dom/client'`,
  sentry: `export * from '@sentry/browser'`,
  three: `export * from 'three'`,
  typescript: `import ts from 'typescript'; globalThis.ts = ts`,
};

const options = readOptions('How much probes add to real bundles, minified as for production.', {
  minWeight: optional(count('the least of functions that get probes; as usual without', 0, 0)),
});
const prelude = preludeBytes();

console.log('bytes gzipped; without the prelude per function\n');
console.log(
  row([
    'bundle',
    'probe',
    'weight',
    'functions',
    'selected',
    'gzip',
    'added',
    '%',
    'per function',
    'time, s',
  ]),
);
for (const [name, contents] of Object.entries(BUNDLES)) {
  const code = await bundle(contents);
  const before = gzipped(code);
  for (const probe of PROBE_KINDS) {
    const minWeight = options.minWeight ?? DEFAULT_MIN_WEIGHTS[probe];
    const begin = performance.now();
    const { code: output, summary } = instrument(code, { probe, minWeight, sourceMap: false });
    const seconds = (performance.now() - begin) / 1000;
    const added = gzipped(output) - before;
    const each = (added - prelude[probe]) / summary.probed;
    const cells = [
      minWeight,
      summary.functions,
      summary.probed,
      before,
      added,
      ((added / before) * 100).toFixed(2),
      each.toFixed(1),
      seconds.toFixed(1),
    ];
    console.log(row([name, probe, ...cells]));
  }
}

/** @param {string} contents of a module @returns {Promise<string>} */
async function bundle(contents) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: ROOT },
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    globalName: 'bundle',
    platform: 'browser',
    external: ['node:*', 'fs', 'path', 'os', 'crypto', 'inspector', 'perf_hooks', 'module'],
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
  });
  return outputFiles[0].text;
}

/** @returns {Record<string, number>} */
function preludeBytes() {
  return Object.fromEntries(
    PROBE_KINDS.map((probe) => {
      const { code } = instrument('work()', { probe, minWeight: 0, sourceMap: false });
      return [probe, gzipped(code.slice(0, code.indexOf('work()')))];
    }),
  );
}

/** @param {string} text */
function gzipped(text) {
  return gzipSync(text, { level: 9 }).length;
}

/** @param {(string | number)[]} cells */
function row(cells) {
  return cells.map((cell, i) => (i < 2 ? String(cell).padEnd(12) : String(cell).padStart(13))).join('');
}
