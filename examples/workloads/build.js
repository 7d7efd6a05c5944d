import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { cachedFolder, contentKey } from './lib/cache.js';
import { INPUTS } from './lib/inputs.js';
import { WORKLOADS } from './workloads.js';

/**
 * Bundles the workloads as a site would be: one minified classic script each, with a source map, beside the page that runs it.
 *
 *     node examples/workloads/build.js [OUT]      writes OUT/<name>/{<name>.js, <name>.js.map, input.json, index.html, page.js}
 */

export { WORKLOADS };

const HERE = fileURLToPath(new URL('./', import.meta.url));
const PAGE = join(HERE, 'page');

/**
 * @param {string} name of a workload
 * @param {string} folder of all bundles
 * @param {{from?: string, inputs?: Record<string, () => unknown>, library?: string}} [others] workloads that are elsewhere: their folder and
 *   inputs; `library`: a module that is bundled as a script of its own, `library.js`, which the page does not load by itself
 * @returns {Promise<string>} the workload's folder in it; nothing is done when it is up to date
 */
export async function buildWorkload(name, folder, { from = HERE, inputs = INPUTS, library } = {}) {
  const input = JSON.stringify(inputs[name]());
  const page = readFileSync(join(PAGE, 'index.html'), 'utf8').replaceAll('{{name}}', name);
  const runner = readFileSync(join(PAGE, 'page.js'), 'utf8');
  const entry = `import { run } from './${name}.js';\nglobalThis.__workload = { name: '${name}', run };\n`;
  const { script, map } = await bundle(name, entry, from);
  const files = {
    [`${name}.js`]: script,
    [`${name}.js.map`]: map,
    'input.json': input,
    'index.html': page,
    'page.js': runner,
  };
  if (library) {
    const { script, map } = await bundle('library', library, from);
    Object.assign(files, { 'library.js': script, 'library.js.map': map });
  }
  return cachedFolder(join(folder, name), contentKey(Object.entries(files).flat()), (path) => {
    for (const [file, text] of Object.entries(files)) writeFileSync(join(path, file), text);
  });
}

/** @param {string} name @param {string} contents of the entry @param {string} from its folder @returns {Promise<{script: string, map: string}>} */
async function bundle(name, contents, from) {
  const { outputFiles } = await build({
    stdin: {
      contents,
      resolveDir: from,
      sourcefile: `${name}_entry.js`,
    },
    // Only for the paths in the source map, which are relative to it: they start at the project's folder.
    outfile: fileURLToPath(new URL(`../../${name}.js`, import.meta.url)),
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    charset: 'utf8',
    sourcemap: 'linked',
    // Names of functions that only the sources have are looked up there: bundles of bundles lose them.
    sourcesContent: true,
    legalComments: 'none',
    logLevel: 'error',
    // TypeScript asks whether it runs in Node; it must take the same path there as in a page.
    define: { 'process.browser': 'true', 'process.env.NODE_ENV': '"production"' },
  });
  const text = (/** @type {string} */ end) =>
    /** @type {import('esbuild').OutputFile} */ (outputFiles.find(({ path }) => path.endsWith(end))).text;
  return { script: text('.js'), map: text('.map') };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const out = resolve(process.argv[2] ?? 'out/workloads/plain');
  mkdirSync(out, { recursive: true });
  for (const name of WORKLOADS) console.log(await buildWorkload(name, out));
}
