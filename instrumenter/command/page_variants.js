import path from 'node:path';
import { findScripts } from '../pages/html_scripts.js';
import { instrument, SourceError } from '../instrument.js';
import { LineIndex } from '../text/line_index.js';
import { withVariants } from '../variants/html_variants.js';
import { twinImportMap } from '../variants/import_map.js';
import { twinName } from '../variants/twin_name.js';
import { fileOf, twinReferences } from '../variants/twins.js';

export const CHOOSER_FILE = 'polyprof-chooser.js';

/**
 * @typedef {import('../instrument.js').Instrumented} Instrumented
 * @typedef {object} PageVariants
 * @property {string} html
 * @property {{name: string, input: string, result: Instrumented}[]} scripts the page's inline scripts with probes, as files of their own
 * @property {number[]} kept see withVariants
 */

/**
 * @param {string} html
 * @param {string} page its name within the output folder
 * @param {object} site
 * @param {import('../variants/variant_options.js').VariantSettings} site.variants
 * @param {import('../variants/twins.js').Twins} site.twins
 * @param {import('../options.js').InstrumentOptions} site.settings
 * @param {string | null} site.polyfill name of the one that a plugin for bundlers left in the output, for pages that bring none
 * @param {(name: string, algorithm: string) => string} site.digest of a twin, in base64
 * @returns {PageVariants}
 * @throws {SourceError} of an inline script, with its place in the page
 */
export function pageVariants(html, page, { variants, twins, settings, polyfill, digest }) {
  const scripts = findScripts(html).map((script, index) =>
    inlineTwin(html, page, script, index, twins, settings),
  );
  const toRoot = path.posix.relative(path.posix.dirname(page), '.');
  const { html: output, kept } = withVariants(html, {
    variants,
    twinOf(url) {
      const file = fileOf(url, page, twins);
      if (file === null) return null;
      return { url: twinName(url), digest: (algorithm) => digest(twinName(file), algorithm) };
    },
    twinOfInline(index) {
      const { name, result } = scripts[index];
      return result.table && { url: path.posix.basename(name), digest: () => '' };
    },
    twinOfImportMap: (json) => twinImportMap(json, page, twins, digest),
    polyfill: polyfill && path.posix.join(toRoot, polyfill),
    chooser: path.posix.join(toRoot, CHOOSER_FILE),
  });
  const used = scripts.filter(({ name }) => output.includes(path.posix.basename(name)));
  return { html: output, scripts: used, kept };
}

/**
 * @param {string} html @param {string} page
 * @param {ReturnType<typeof findScripts>[number]} script @param {number} index
 * @param {import('../variants/twins.js').Twins} twins @param {import('../options.js').InstrumentOptions} settings
 */
function inlineTwin(html, page, { start, end, sourceType }, index, twins, settings) {
  const name = twinName(`${page}.${index + 1}.js`);
  const input = html.slice(start, end);
  const first = new LineIndex(html).positionAt(start);
  /** @template {{line: number, column: number}} P @param {P} place in the script @returns {P} in the page */
  const inPage = ({ line, column, ...rest }) =>
    /** @type {P} */ ({
      ...rest,
      line: line + first.line - 1,
      column: line === 1 ? column + first.column - 1 : column,
    });
  try {
    const references = { rename: twinReferences(page, twins), warns: true };
    const result = instrument(input, { ...settings, file: name, sourceType, references, sourceMap: false });
    result.summary.warnings = result.summary.warnings.map(inPage);
    return { name, input, result };
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    const { line, column } = inPage(error);
    throw new SourceError(error.message, { file: page, line, column, code: html });
  }
}
