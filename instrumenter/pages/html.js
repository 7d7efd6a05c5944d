import { Edits } from '../text/edits.js';
import { decider } from '../budget/decide.js';
import { exclusions } from '../exclusions.js';
import { functionKeys } from '../budget/function_keys.js';
import { byteOrderMark } from '../text/byte_order_mark.js';
import { scriptIdOf } from '../text/fnv1a.js';
import { writeFunctionTable } from '../tables/function_table.js';
import { findScripts } from './html_scripts.js';
import { LineIndex } from '../text/line_index.js';
import { completeOptions } from '../options.js';
import { ownOrigins } from '../tables/origins.js';
import { placeScripts } from '../probes/place_scripts.js';
import { readScript } from '../script.js';
import { summarize } from '../summary.js';
import { tableFunctions } from '../tables/table_functions.js';

/**
 * Puts probes into the inline scripts of an HTML page. They share one function table, whose positions are the page's, as are the
 * positions that engines report for inline scripts.
 *
 * Left alone: scripts with `src`, data blocks (JSON, import maps), templates, event handler attributes.
 *
 * @param {string} html
 * @param {import('../options.js').InstrumentOptions & {replacements?: import('./html_scripts.js').Replacement[]}} [options]
 *   `replacements`: further changes outside of the inline scripts. They leave the number of lines as it is
 * @returns {import('../instrument.js').Instrumented} without a source map
 * @throws {import('../source_error.js').SourceError} if a script does not parse; its position is the page's
 */
export function instrumentHtml(html, { replacements = [], ...options } = {}) {
  const { file, tableName, tableAddress, minWeight, probe, budget } = completeOptions({
    file: 'index.html',
    ...options,
  });
  const { calibration, endpoint } = options;
  const mark = byteOrderMark(html);
  const input = html.slice(mark.length);
  const lines = new LineIndex(input);
  const originOf = ownOrigins(file, lines);
  const decide = decider(calibration, { budget, probe, minWeight, originOf });
  const exclusion = exclusions(options.selectSource)(file);
  const edits = new Edits();
  const scriptId = scriptIdOf(file, input);

  const scripts = findScripts(input).map(({ start, end, sourceType }) =>
    readScript(input.slice(start, end), {
      file,
      minWeight,
      probe,
      decide,
      exclusionOf: () => exclusion,
      page: input,
      sourceType,
      base: start,
      ...lines.positionAt(start),
    }),
  );
  const keysOf = (/** @type {typeof scripts[number]} */ { records, base }) =>
    functionKeys(records, base, originOf);
  placeScripts(scripts, { edits, probe, scriptId, tableAddress, keysOf, endpoint });
  const hasProbes = !edits.isEmpty;
  edits.base = -mark.length;
  for (const { start, end, value } of replacements) edits.replace(start, end, 0, value);
  edits.seal();

  const code = edits.isEmpty ? html : mark + edits.applyTo(input);
  const functions = hasProbes ? tableFunctions(scripts, edits, lines, originOf) : [];
  return {
    code,
    map: null,
    table: hasProbes ? writeFunctionTable({ scriptId, functions }) : null,
    tableName,
    summary: summarize(file, scripts, html, code, lines, probe),
  };
}
