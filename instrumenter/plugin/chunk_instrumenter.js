import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping';
import { addBudgets, budgetText } from '../budget/budget_summary.js';
import { calibrating } from '../budget/calibrating.js';
import { loadCalibration } from '../budget/load_calibration.js';
import { HEAP_MB, NEEDS_HEAP, tooBig } from '../heap.js';
import { decodedMap } from '../decoded_map.js';
import { instrument, SourceError } from '../instrument.js';
import { mapMisfit } from '../map_misfit.js';
import { instrumentBig } from './big_chunk.js';
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
 *
 * @typedef {object} Totals of files
 * @property {number} files
 * @property {number} functions
 * @property {number} probed
 * @property {number} gzip bytes before
 * @property {number} gzipAdded bytes
 * @property {(import('../budget/budget_summary.js').BudgetSummary | null)[]} budgets
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
  #warn;
  #selectSource;
  /** Files that were warned of. */
  #misfits = new Set();
  #totals = noTotals();

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
   * @param {{needsHeap?: number, heapMb?: number}} [limits] text that is longer goes to a process of its own, and what that may take, in MB
   * @returns {{code: string, table: Uint8Array, map: any} | null} null: the file stays as it is
   * @throws {Error} if a twin cannot be made
   */
  instrument(chunk, { needsHeap = NEEDS_HEAP, heapMb = HEAP_MB } = {}) {
    // References have functions.
    if (chunk.code.length <= needsHeap || chunk.references) return this.instrumentHere(chunk);
    const done = instrumentBig({ settings: this.#settings, root: this.#root, chunk }, heapMb);
    if (!done) {
      this.#warn(
        `${chunk.file}: ${tooBig(chunk.code, 'leave its sources out by exclude, or split it')}; it has no probes`,
      );
      return null;
    }
    for (const warning of done.warnings) this.#warn(warning);
    this.#add(done.totals);
    return done.result;
  }

  /** As `instrument`, in this process. @param {Chunk} chunk @returns {ReturnType<ChunkInstrumenter['instrument']>} */
  instrumentHere({ code, file, map: bundlersMap, folder, sourceType, mapTo, tableName, references }) {
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
    this.#add(totalsOf(code, result));
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
    const { files, functions, probed, gzip, gzipAdded, budgets } = this.takeTotals();
    if (files === 0) return undefined;
    const share = (gzipAdded / Math.max(1, gzip)) * 100;
    const line =
      `${probed} of ${functions} functions in ${files} file${files > 1 ? 's' : ''} have probes, ` +
      `+${(gzipAdded / 1000).toFixed(1)} kB gzipped (${share.toFixed(1)} %)`;
    const budget = addBudgets(budgets);
    const cost = budget && this.#calibration ? `; ${budgetText(budget, this.#calibration.busyMs, 0)}` : '';
    return line + cost;
  }

  /** What was done since the last time. */
  takeTotals() {
    const totals = this.#totals;
    this.#totals = noTotals();
    return totals;
  }

  /** @param {Totals} totals */
  #add({ budgets, ...numbers }) {
    this.#totals.budgets.push(...budgets);
    for (const name of /** @type {(keyof typeof numbers)[]} */ (Object.keys(numbers)))
      this.#totals[name] += numbers[name];
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

/** @returns {Totals} */
function noTotals() {
  return { files: 0, functions: 0, probed: 0, gzip: 0, gzipAdded: 0, budgets: [] };
}

/** @param {string} input @param {import('../instrument.js').Instrumented} result @returns {Totals} */
function totalsOf(input, { code, summary: { functions, probed, budget } }) {
  const gzip = gzipSync(input).length;
  const gzipAdded = code === input ? 0 : gzipSync(code).length - gzip;
  return { files: 1, functions, probed, gzip, gzipAdded, budgets: [budget] };
}
