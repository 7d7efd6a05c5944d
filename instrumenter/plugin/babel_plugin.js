import path from 'node:path';
import { calibrating } from '../budget/calibrating.js';
import { loadCalibration } from '../budget/load_calibration.js';
import { exclusions } from '../exclusions.js';
import { instrument, SourceError } from '../instrument.js';
import { sourceFilter } from '../sources/source_filter.js';
import { sourcePath } from '../sources/source_path.js';
import { completePluginOptions, OPTIONS_OF_SCRIPTS, PLUGIN_NAME } from './plugin_options.js';

/**
 * @typedef {Pick<import('./plugin_options.js').PolyprofOptions, (typeof OPTIONS_OF_SCRIPTS)[number]>} PolyprofBabelOptions
 * @typedef {{filename?: string | null, sourceFileName?: string, sourceMaps?: unknown}} GeneratorOptions
 * @typedef {{code: string, map: any, __mergedMap?: any}} Generated
 */

/**
 * A plugin for Babel 7 and 8: each file gets its probes and its function table when Babel has written it, after all other plugins,
 * so that positions are those of Babel's output. Whatever runs after Babel must not move them.
 * @param {unknown} _api
 * @param {PolyprofBabelOptions} [options]
 * @param {string} [folder] of the configuration: what `include` and `exclude` are relative to
 */
export function babelPlugin(_api, options = {}, folder = process.cwd()) {
  const { enabled, probe, minWeight, budget, calibration, ...patterns } = completePluginOptions(
    options,
    OPTIONS_OF_SCRIPTS,
  );
  if (!enabled) return { name: PLUGIN_NAME };
  const calibrated = loadCalibration(folder, { budget, calibration });
  const selects = sourceFilter(patterns);

  return {
    name: PLUGIN_NAME,

    /**
     * @param {any} ast
     * @param {GeneratorOptions} generatorOptions
     * @param {string} code
     * @param {(ast: any, options: any, code: string) => Generated} generate
     * @returns {Generated}
     */
    generatorOverride(ast, generatorOptions, code, generate) {
      const { filename, sourceMaps } = generatorOptions;
      const generated = generate(ast, { ...generatorOptions, sourceMaps: true }, code);
      const source = sourcePath(filename, { root: folder, folder });
      // By what else is in it Babel knows that a source map of the source is taken into account already.
      const plain = sourceMaps ? generated : { code: generated.code, map: null };
      if (!selects(source) || exclusions(undefined)(source)) return plain;
      try {
        const result = instrument(generated.code, {
          file: filename ? path.basename(filename) : 'script.js',
          sourceType: ast.program.sourceType === 'module' ? 'module' : 'unambiguous',
          probe,
          minWeight,
          ...(budget !== undefined && { budget }),
          calibration: calibrated,
          inputMap: { ...generated.map, sources: [source || 'script.js'] },
          chainMap: true,
          inlineTable: true,
          ...calibrating(),
        });
        if (!result.table) return plain;
        if (!sourceMaps) return { code: result.code, map: null };
        const map = { .../** @type {any} */ (result.map), sources: generated.map.sources };
        return { code: result.code, map, __mergedMap: generated.__mergedMap };
      } catch (error) {
        if (!(error instanceof SourceError)) throw error;
        throw new SyntaxError(
          `polyprof: ${source}: what Babel made of it cannot be read: ${error.message} (its line ${error.line}); ` +
            'is a preset missing that compiles JSX, Flow or TypeScript?',
          { cause: error },
        );
      }
    },
  };
}
