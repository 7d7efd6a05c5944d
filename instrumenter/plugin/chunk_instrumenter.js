import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping';
import { addBudgets, budgetText } from '../budget/budget_summary.js';
import { calibrating } from '../budget/calibrating.js';
import { loadCalibration } from '../budget/load_calibration.js';
import { decodedMap } from '../decoded_map.js';
import { instrument, SourceError } from '../instrument.js';
import { mapMisfit } from '../map_misfit.js';
import { sourceFilter } from './source_filter.js';
import { sourcePath } from './source_path.js';

/** @typedef {import('./plugin_options.js').PluginSettings} PluginSettings */
/**
 * @typedef {object} Chunk
 * @property {string} code
 * @property {string} file its name within the output folder
 * @property {any} [map] its source map
 * @property {string} folder absolute: what relative sources of the map start from
 * @property {import('../parse.js').SourceType} [sourceType]
 * @property {'sources' | 'input' | null} mapTo which map of the new code is wanted: one to what `map` leads to, or to `code`
 * @property {string} [tableName] default: `<base name>.ppft`
 * @property {import('../references.js').References} [references] it is a twin (docs/build.md, Variants), and loads twins
 */

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

const SCRIPT = /\.[cm]?js$/;

/** @param {string} file @returns {boolean} */
export function isScript(file) {
  return SCRIPT.test(file.replace(/[?#].*$/s, ''));
}

/** @param {any} map @param {number} line @param {number} column @returns {string | undefined} place in the sources */
function originOf(map, line, column) {
  if (!map) return undefined;
  const { source, ...place } = originalPositionFor(new TraceMap(map), { line, column: column - 1 });
  return source ? `${source}:${place.line}:${Number(place.column) + 1}` : undefined;
}

/** @param {SourceError} error */
function inOneLine({ file, line, column, message }) {
  return `${file}:${line}:${column}: ${message}`;
}

/** Instruments the files of a bundler, and adds up what that did. */
export class ChunkInstrumenter {
  /** What a file's content depends on beside its modules. */
  salt;
  #settings;
  #root;
  #calibration;
  /** @type {(import('../budget/budget_summary.js').BudgetSummary | null)[]} */
  #budgets = [];
  #warn;
  #selectSource;
  /** Files that were warned of. */
  #misfits = new Set();
  #files = 0;
  #functions = 0;
  #probed = 0;
  #gzip = 0;
  #gzipAdded = 0;

  /**
   * @param {PluginSettings} settings
   * @param {{root: string, warn: (message: string) => void}} bundler `root`: the project's folder, absolute
   */
  constructor(settings, { root, warn }) {
    this.#settings = settings;
    this.#root = root;
    this.#warn = warn;
    this.#calibration = loadCalibration(root, settings);
    this.#selectSource = sourceFilter(settings);
    // How many sessions get a variant changes nothing in it.
    const content = { ...settings, variants: Boolean(settings.variants) };
    const text = JSON.stringify(content, (_, value) => (value instanceof RegExp ? String(value) : value));
    const calibration = JSON.stringify(this.#calibration ?? null);
    this.salt = createHash('sha256')
      .update(version)
      .update(text)
      .update(calibration)
      .update(JSON.stringify(calibrating()))
      .digest('hex')
      .slice(0, 16);
  }

  /** @param {string} source as a source map has it @param {string} folder @returns {boolean} */
  selects(source, folder) {
    return this.#selectSource(this.#path(source, folder));
  }

  /**
   * @param {Chunk} chunk
   * @returns {{code: string, table: Uint8Array, map: any} | null} null: the file stays as it is
   * @throws {Error} if a twin cannot be made
   */
  instrument({ code, file, map: bundlersMap, folder, sourceType, mapTo, tableName, references }) {
    const { probe, minWeight, budget } = this.#settings;
    const map = bundlersMap && decodedMap(bundlersMap);
    const inputMap = map && this.#fits(map, code, file) ? this.#named(map, folder) : undefined;
    let result;
    try {
      result = instrument(code, {
        file,
        probe,
        minWeight,
        ...(budget !== undefined && { budget }),
        calibration: this.#calibration,
        inputMap,
        chainMap: mapTo === 'sources' && map ? map : false,
        sourceMap: mapTo !== null,
        selectSource: inputMap ? this.#selectSource : undefined,
        ...(sourceType && { sourceType }),
        ...(tableName && { tableName }),
        ...(references && { references }),
        ...calibrating(),
      });
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      // Half of a page's modules in one variant and half in the other would be two of each.
      if (references)
        throw new Error(`polyprof: variants: ${inOneLine(error)}\n${error.frame}`, { cause: error });
      this.#warn(`${inOneLine(error)}; it has no probes\n${error.frame}`);
      return null;
    }
    this.#add(code, result);
    for (const { message, line, column } of result.summary.warnings) {
      this.#warn(`${originOf(inputMap, line, column) ?? `${file}:${line}:${column}`}: ${message}`);
    }
    if (!result.table) return null;
    return { code: result.code, table: result.table, map: result.map };
  }

  /** @param {any} map @param {string} code @param {string} file */
  #fits(map, code, file) {
    const misfit = mapMisfit(code, map);
    if (misfit && !this.#misfits.has(file)) {
      this.#misfits.add(file);
      this.#warn(
        `${file}: its source map is not of this code: ${misfit}. Another plugin may have changed it without a map. ` +
          'Traces have its own names and lines, and include and exclude see none of its sources',
      );
    }
    return !misfit;
  }

  /** What was done since the last time, in one line; undefined: nothing was. @returns {string | undefined} */
  takeSummary() {
    if (this.#files === 0) return undefined;
    const share = (this.#gzipAdded / Math.max(1, this.#gzip)) * 100;
    const line =
      `${this.#probed} of ${this.#functions} functions in ${this.#files} file${this.#files > 1 ? 's' : ''} have probes, ` +
      `+${(this.#gzipAdded / 1000).toFixed(1)} kB gzipped (${share.toFixed(1)} %)`;
    const budget = addBudgets(this.#budgets.splice(0));
    const cost = budget && this.#calibration ? `; ${budgetText(budget, this.#calibration.busyMs, 0)}` : '';
    this.#files = this.#functions = this.#probed = this.#gzip = this.#gzipAdded = 0;
    return line + cost;
  }

  /** @param {string} input @param {import('../instrument.js').Instrumented} result */
  #add(input, { code, summary }) {
    const before = gzipSync(input).length;
    this.#files++;
    this.#budgets.push(summary.budget);
    this.#functions += summary.functions;
    this.#probed += summary.probed;
    this.#gzip += before;
    this.#gzipAdded += code === input ? 0 : gzipSync(code).length - before;
  }

  /** The map with one name for each source, as tables and filters have it. @param {any} map @param {string} folder */
  #named(map, folder) {
    const sources = map.sources.map((/** @type {string | null} */ source) =>
      this.#path(
        source && map.sourceRoot ? `${map.sourceRoot.replace(/\/?$/, '/')}${source}` : source,
        folder,
      ),
    );
    return { ...map, version: 3, sources, sourceRoot: undefined };
  }

  /** @param {string | null} source @param {string} folder */
  #path(source, folder) {
    return sourcePath(source, { root: this.#root, folder });
  }
}
