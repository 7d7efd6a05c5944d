import { gzipSync } from 'node:zlib';
import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping';
import { HEAP_MB, NEEDS_HEAP, tooBig } from '../heap.js';
import { instrument, SourceError } from '../instrument.js';
import { decodedMap } from '../maps/decoded_map.js';
import { mapMisfit } from '../maps/map_misfit.js';
import { sourceFilter } from '../sources/source_filter.js';
import { withSourcePaths } from '../sources/source_path.js';
import { twinReferences } from '../variants/twins.js';
import { instrumentBig } from './big_chunk.js';
import { noTotals } from './totals.js';

/**
 * @typedef {object} Project what a file's content depends on beside the file; can be sent to threads and processes
 * @property {string} key another one for another project
 * @property {Pick<import('./plugin_options.js').PluginSettings, 'probe' | 'minWeight' | 'budget' | 'include' | 'exclude'>} settings
 * @property {string} root the project's folder, absolute
 * @property {string} [files] see `sourcePath`
 * @property {import('../budget/calibration.js').Calibration} [calibration]
 * @property {ReturnType<import('../budget/calibrating.js').calibrating>} calibrating
 *
 * @typedef {object} Chunk a file of a bundler; can be sent, too
 * @property {string} code
 * @property {string} file its name within the output folder
 * @property {string} [map] its source map, as JSON
 * @property {string} folder absolute: what relative sources of the map start from
 * @property {import('../syntax/parse.js').SourceType} [sourceType]
 * @property {'sources' | 'input' | null} mapTo which map of the new code is wanted: one to what `map` leads to, or to `code`
 * @property {string} [tableName] default: `<base name>.ppft`
 * @property {string} [prologue] as of `InstrumentOptions`
 * @property {Twin} [twin] this becomes a twin (docs/build.md, Variants), and loads twins
 *
 * @typedef {object} Twin
 * @property {string} of name of the script that stays as it is
 * @property {import('../variants/twins.js').Twins} twins
 * @property {boolean} [namesChunks] the script has the function that makes webpack's names of chunks
 *
 * @typedef {object} Done
 * @property {{code: string, table: Uint8Array, map: any} | null} result null: the file stays as it is
 * @property {string} [misfit] why the source map was not used; none or empty: it was, or there is none
 * @property {string[]} warnings
 * @property {string[]} [sources] paths of what it was made of, as `include` and `exclude` see them; of a file without a source map, its own
 * @property {import('./totals.js').Totals} [totals] none: the file was given up
 */

/**
 * @param {Project} project
 * @param {Chunk} chunk
 * @param {{needsHeap?: number, heapMb?: number}} [limits] text that is longer goes to a process of its own, and what that may take, in MB
 * @returns {Done}
 * @throws {Error} if a twin cannot be made
 */
export function instrumentChunk(project, chunk, { needsHeap = NEEDS_HEAP, heapMb = HEAP_MB } = {}) {
  if (chunk.code.length <= needsHeap) return instrumentHere(project, chunk);
  const done = instrumentBig(project, chunk, heapMb);
  if (done || chunk.twin === undefined) return done ?? givenUp(chunk);
  throw new Error(`polyprof: variants: ${tooBigToDo(chunk)}`);
}

/** A chunk for which there is not enough memory. @param {Chunk} chunk @returns {Done} */
function givenUp(chunk) {
  return { result: null, warnings: [`${tooBigToDo(chunk)}; it has no probes`] };
}

/** @param {Chunk} chunk */
function tooBigToDo({ file, code }) {
  return `${file}: ${tooBig(code, 'leave its sources out by exclude, or split it')}`;
}

/** As `instrumentChunk`, in this thread. @param {Project} project @param {Chunk} chunk @returns {Done} */
export function instrumentHere({ settings, root, files, calibration, calibrating }, chunk) {
  const { code, file, folder, sourceType, mapTo, tableName, prologue, twin } = chunk;
  const { probe, minWeight, budget } = settings;
  const map = chunk.map === undefined ? undefined : decodedMap(chunk.map);
  const misfit = map && mapMisfit(code, map);
  const inputMap = map && !misfit ? withSourcePaths(map, { root, folder, files }) : undefined;
  let instrumented;
  try {
    instrumented = instrument(code, {
      file,
      probe,
      minWeight,
      ...(budget !== undefined && { budget }),
      calibration,
      inputMap,
      chainMap: mapTo === 'sources' && map ? map : false,
      sourceMap: mapTo !== null,
      selectSource: inputMap ? sourceFilter(settings) : undefined,
      ...(sourceType && { sourceType }),
      ...(tableName && { tableName }),
      ...(prologue && { prologue }),
      ...(twin && {
        references: { rename: twinReferences(twin.of, twin.twins), namesChunks: twin.namesChunks },
      }),
      ...calibrating,
    });
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    const place = `${error.file}:${error.line}:${error.column}: ${error.message}`;
    // Half of a page's modules in one variant and half in the other would be two of each.
    if (twin) throw new Error(`polyprof: variants: ${place}\n${error.frame}`, { cause: error });
    return { result: null, misfit, warnings: [`${place}; it has no probes\n${error.frame}`] };
  }
  const warnings = instrumented.summary.warnings.map(
    ({ message, line, column }) =>
      `${originOf(inputMap, line, column) ?? `${file}:${line}:${column}`}: ${message}`,
  );
  const { table, map: newMap } = instrumented;
  const result = table && { code: instrumented.code, table, map: newMap };
  return {
    result,
    misfit,
    warnings,
    sources: inputMap?.sources ?? [file],
    totals: totalsOf(code, instrumented),
  };
}

/** @param {any} map @param {number} line @param {number} column @returns {string | undefined} place in the sources */
function originOf(map, line, column) {
  if (!map) return undefined;
  const { source, ...place } = originalPositionFor(new TraceMap(map), { line, column: column - 1 });
  return source ? `${source}:${place.line}:${Number(place.column) + 1}` : undefined;
}

/** @param {string} input @param {import('../instrument.js').Instrumented} result @returns {import('./totals.js').Totals} */
function totalsOf(input, { code, summary }) {
  const { functions, probed, skipped, budget, alreadyInstrumented } = summary;
  if (alreadyInstrumented) return { ...noTotals(), already: 1 };
  const gzip = gzipSync(input).length;
  const gzipAdded = code === input ? 0 : gzipSync(code).length - gzip;
  return {
    ...noTotals(),
    files: 1,
    functions,
    probed,
    skipped,
    gzip,
    gzipAdded,
    budgets: [budget],
  };
}
