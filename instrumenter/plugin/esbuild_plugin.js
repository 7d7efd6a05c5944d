import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ChunkInstrumenter, isScript } from './chunk_instrumenter.js';
import { EsbuildOutput } from './esbuild_output.js';
import { twinName } from '../variants/twin_name.js';
import { bringsPolyfill } from './plugin_options.js';
import { runtimeFiles, runtimeFilesOfVariants } from './runtime_files.js';

/** @typedef {import('./plugin_options.js').PluginSettings} PluginSettings */

/**
 * esbuild: its output is kept from being written, instrumented, and written here.
 * @param {any} build
 * @param {PluginSettings} settings
 */
export function setUpEsbuild(build, settings) {
  if ('onBeforeParse' in build) {
    throw new Error(
      'polyprof: Bun.build lets no plugin change what it writes: run npx polyprof instrument on its outdir',
    );
  }
  const options = build.initialOptions;
  const root = path.resolve(options.absWorkingDir ?? process.cwd());
  const { sourcemap, write = true, metafile, allowOverwrite } = options;
  const { variants } = settings;
  const brings = bringsPolyfill(settings);
  const runtime = variants ? runtimeFilesOfVariants(settings) : runtimeFiles();
  if (brings) inject(options, runtime.folder, settings);
  if (!options.outfile && !options.outdir) {
    throw new Error(
      'polyprof: set outfile or outdir, also if nothing is written: function tables lie beside scripts',
    );
  }
  options.write = false;
  // It says which files were read.
  options.metafile = true;
  // Names and lines of the sources come from source maps, also if nobody else wants them.
  options.sourcemap = 'external';
  // What the output depends on beside its modules has to be part of the hashes in names. It is taken out again below.
  const mark = `/*polyprof ${new ChunkInstrumenter(settings, { root, warn() {} }).salt}*/`;
  const marked = new RegExp(`^${escape(mark)}\\n|${escape(mark)}`, 'm');
  options.footer = { ...options.footer, js: `${options.footer?.js ?? ''}${mark}` };

  build.onEnd(async (/** @type {any} */ result) => {
    // Without it the build failed.
    if (!result.metafile) return;
    const warn = (/** @type {string} */ text) => result.warnings.push(warning(text));
    const instrumenter = new ChunkInstrumenter(settings, { root, warn });
    const output = new EsbuildOutput(result.outputFiles);
    const scripts = output.paths.filter(isScript);
    const outputFolder = path.resolve(root, options.outdir ?? path.dirname(options.outfile ?? ''));
    const nameOf = (/** @type {string} */ file) =>
      path.relative(outputFolder, file).split(path.sep).join('/');
    const twins = { files: new Set(scripts.map(nameOf)), base: options.publicPath };
    for (const file of scripts) {
      const code = output.text(file).replace(marked, '');
      output.set(file, code);
      const target = variants ? twinName(file) : file;
      const instrumented = await instrumenter.instrument({
        code,
        map: output.sourceMap(file),
        mapTo: sourcemap ? 'sources' : null,
        sourceType: options.format === 'esm' ? 'module' : undefined,
        folder: path.dirname(file),
        file: nameOf(target),
        twin: variants && { of: nameOf(file), twins },
      });
      if (variants || instrumented) output.set(target, instrumented?.code ?? code);
      if (!instrumented) continue;
      if (sourcemap) output.set(`${target}.map`, JSON.stringify(instrumented.map));
      output.set(`${target}.ppft`, instrumented.table);
    }
    if (variants) output.addFolder(path.join(outputFolder, runtime.folder), runtime.files);
    else if (brings) addRuntime(output, runtime, options, root);
    output.linkSourceMaps(sourcemap);
    const summary = instrumenter.takeSummary();
    if (summary && /^(info|debug|verbose)$/.test(options.logLevel ?? '')) console.log(`polyprof: ${summary}`);
    const overwritten = output.overwrittenInputs(result.metafile.inputs, root);
    if (metafile) result.metafile.outputs = output.described(result.metafile.outputs, root);
    else delete result.metafile;
    result.outputFiles = write ? undefined : output.files;
    if (!write) return;
    if (!allowOverwrite && overwritten.length > 0) return { errors: overwritten.map(refusal) };
    output.write();
  });
}

/** @param {any} options @param {string} folder @param {PluginSettings} settings */
function inject(options, folder, { install }) {
  if (!options.bundle) {
    throw new Error(
      "polyprof: to inject the polyfill, esbuild needs bundle: true; or set runtime: 'external'",
    );
  }
  const kind = options.format === 'esm' ? 'module' : 'script';
  const file = fileURLToPath(new URL(`./runtime/esbuild_${kind}.js`, import.meta.url));
  options.inject = [file, ...(options.inject ?? [])];
  const url = options.publicPath ? `${options.publicPath.replace(/\/?$/, '/')}${folder}/` : `${folder}/`;
  options.define = {
    ...options.define,
    __POLYPROF_FOLDER__: JSON.stringify(url),
    // As text: esbuild 0.28 panics when what is defined is {}.
    __POLYPROF_INSTALL__: JSON.stringify(JSON.stringify(install)),
  };
}

/**
 * Scripts look for the polyfill's files beside them, or at the public path.
 * @param {EsbuildOutput} output @param {ReturnType<typeof runtimeFiles>} runtime @param {any} options @param {string} root
 */
function addRuntime(output, { folder, files }, { publicPath, outdir, outfile }, root) {
  const outputFolder = path.resolve(root, outdir ?? path.dirname(outfile ?? ''));
  const users = output.paths.filter((file) => isScript(file) && output.text(file).includes(`${folder}/`));
  const folders = new Set(publicPath ? [outputFolder] : users.map((file) => path.dirname(file)));
  for (const beside of folders) {
    output.addFolder(path.join(beside, folder), files);
  }
}

/** In esbuild's words. @param {string} input */
function refusal(input) {
  return {
    text: `Refusing to overwrite input file ${JSON.stringify(input)} (use "allowOverwrite: true" to allow this)`,
  };
}

/** @param {string} text */
function warning(text) {
  return { id: '', pluginName: 'polyprof', text, location: null, notes: [], detail: undefined };
}

/** @param {string} text */
function escape(text) {
  return text.replace(/[/*]/g, '\\$&');
}
