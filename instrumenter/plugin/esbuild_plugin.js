import path from 'node:path';
import { twinName } from '../variants/twin_name.js';
import { ChunkInstrumenter, isScript } from './chunk_instrumenter.js';
import { EsbuildOutput } from './esbuild_output.js';
import { addPolyfillFiles, injectPolyfill } from './esbuild_runtime.js';
import { EsbuildSalt } from './esbuild_salt.js';
import { bringsPolyfill, PLUGIN_NAME } from './plugin_options.js';
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
  const own = new EsbuildBuild(build.initialOptions, settings);
  build.onEnd((/** @type {any} */ result) => own.finish(result));
}

/** A build, or with esbuild's `watch` one after the other. */
class EsbuildBuild {
  #settings;
  /** esbuild's, changed by us and maybe by other plugins. */
  #options;
  /** What the user said of the options that we change, and of what we do in esbuild's place. */
  #asked;
  /** The project's folder, absolute. */
  #root;
  /** Files that pages load. */
  #runtime;
  #salt;

  /** @param {any} options @param {PluginSettings} settings */
  constructor(options, settings) {
    const { sourcemap, write = true, metafile, allowOverwrite } = options;
    this.#settings = settings;
    this.#options = options;
    this.#asked = { sourcemap, write, metafile, allowOverwrite };
    this.#root = path.resolve(options.absWorkingDir ?? process.cwd());
    this.#runtime = settings.variants ? runtimeFilesOfVariants(settings) : runtimeFiles();
    if (bringsPolyfill(settings)) injectPolyfill(options, this.#runtime.folder, settings.install);
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
    this.#salt = new EsbuildSalt(this.#instrumenter(() => {}).salt);
    options.footer = this.#salt.addedTo(options.footer);
  }

  /** @param {(message: string) => void} warn */
  #instrumenter(warn) {
    return new ChunkInstrumenter(this.#settings, { root: this.#root, warn });
  }

  /** @returns {string} absolute */
  get #outputFolder() {
    const { outdir, outfile } = this.#options;
    return path.resolve(this.#root, outdir ?? path.dirname(outfile ?? ''));
  }

  /** Hook of esbuild. @param {any} result of the build, which this changes @returns {Promise<{errors: object[]} | undefined>} */
  async finish(result) {
    // Without it the build failed.
    if (!result.metafile) return undefined;
    const instrumenter = this.#instrumenter((text) => result.warnings.push(warning(text)));
    const output = new EsbuildOutput(result.outputFiles);
    await this.#addProbes(output, instrumenter);
    this.#addRuntime(output);
    output.linkSourceMaps(this.#asked.sourcemap);
    const summary = instrumenter.takeSummary();
    const isTold = /^(info|debug|verbose)$/.test(this.#options.logLevel ?? '');
    if (summary && isTold) console.log(`polyprof: ${summary}`);
    return this.#handOver(output, result);
  }

  /** @param {EsbuildOutput} output @param {ChunkInstrumenter} instrumenter */
  async #addProbes(output, instrumenter) {
    const { variants } = this.#settings;
    const { format, publicPath } = this.#options;
    const { sourcemap } = this.#asked;
    const folder = this.#outputFolder;
    const nameOf = (/** @type {string} */ file) => path.relative(folder, file).split(path.sep).join('/');
    const scripts = output.paths.filter(isScript);
    const twins = { files: new Set(scripts.map(nameOf)), base: publicPath };
    for (const file of scripts) {
      const code = this.#salt.takenFrom(output.text(file));
      output.set(file, code);
      const target = variants ? twinName(file) : file;
      const instrumented = await instrumenter.instrument({
        code,
        map: output.sourceMap(file),
        mapTo: sourcemap ? 'sources' : null,
        sourceType: format === 'esm' ? 'module' : undefined,
        folder: path.dirname(file),
        file: nameOf(target),
        twin: variants && { of: nameOf(file), twins },
      });
      if (variants || instrumented) output.set(target, instrumented?.code ?? code);
      if (!instrumented) continue;
      if (sourcemap) output.set(`${target}.map`, JSON.stringify(instrumented.map));
      output.set(`${target}.ppft`, instrumented.table);
    }
  }

  /** @param {EsbuildOutput} output */
  #addRuntime(output) {
    const { folder, files } = this.#runtime;
    if (this.#settings.variants) output.addFolder(path.join(this.#outputFolder, folder), files);
    else if (bringsPolyfill(this.#settings))
      addPolyfillFiles(output, this.#runtime, this.#outputFolder, this.#options.publicPath);
  }

  /**
   * What esbuild would have done: writes the output or gives it to the caller, and says what is in it.
   * @param {EsbuildOutput} output
   * @param {any} result
   */
  #handOver(output, result) {
    const { write, metafile, allowOverwrite } = this.#asked;
    const overwritten = output.overwrittenInputs(result.metafile.inputs, this.#root);
    if (metafile) result.metafile.outputs = output.described(result.metafile.outputs, this.#root);
    else delete result.metafile;
    result.outputFiles = write ? undefined : output.files;
    if (!write) return undefined;
    if (!allowOverwrite && overwritten.length > 0) return { errors: overwritten.map(refusal) };
    output.write();
    return undefined;
  }
}

/** In esbuild's words. @param {string} input */
function refusal(input) {
  return {
    text: `Refusing to overwrite input file ${JSON.stringify(input)} (use "allowOverwrite: true" to allow this)`,
  };
}

/** In esbuild's form. @param {string} text */
function warning(text) {
  return { id: '', pluginName: PLUGIN_NAME, text, location: null, notes: [], detail: undefined };
}
