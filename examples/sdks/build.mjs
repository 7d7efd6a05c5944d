import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import polyprof from 'polyprof/esbuild';

/**
 * @param {string} outdir
 * @param {import('esbuild').BuildOptions} [more]
 */
export function buildExample(outdir, more) {
  return build({
    absWorkingDir: fileURLToPath(new URL('.', import.meta.url)),
    entryPoints: ['src/main.js'],
    outdir,
    bundle: true,
    minify: true,
    // Datadog's SDK fetches its profiler when it is needed.
    splitting: true,
    format: 'esm',
    sourcemap: true,
    // The SDKs' own functions say nothing of the page.
    plugins: [polyprof({ minWeight: 5, exclude: [/@(sentry|datadog)/] })],
    ...more,
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildExample('out');
