import { CHOOSER_FILE } from '../files/dist_files.js';
import { findScripts } from '../pages/html_scripts.js';
import { instrument, SourceError } from '../instrument.js';
import { LineIndex } from '../text/line_index.js';
import { withVariants } from '../variants/html_variants.js';
import { twinImportMap } from '../variants/import_map.js';
import { twinName } from '../variants/twin_name.js';
import { fileOf, twinReferences } from '../variants/twins.js';
import { encodedName, rootAddress } from './root_address.js';

/**
 * @typedef {import('../instrument.js').Instrumented} Instrumented
 * @typedef {object} PageVariants
 * @property {string} html
 * @property {{name: string, input: string, result: Instrumented}[]} scripts the page's inline scripts with probes, as files of their own
 * @property {number[]} kept see withVariants
 * @property {boolean} isLost it has inline scripts that stay plain in both variants, since nobody knows where it would find files
 */

/**
 * @param {string} html
 * @param {string} page its name within the output folder
 * @param {object} site
 * @param {import('../variants/variant_options.js').VariantSettings} site.variants
 * @param {import('../variants/twins.js').Twins} site.twins
 * @param {import('../options.js').InstrumentOptions} site.settings
 * @param {ReadonlySet<string>} site.files names of all that is in the output folder
 * @param {string | null} site.polyfill name of the one that a plugin for bundlers left in the output, for pages that bring none
 * @param {(name: string, algorithm: string) => string} site.digest of a twin, in base64
 * @returns {PageVariants}
 * @throws {SourceError} of an inline script, with its place in the page
 */
export function pageVariants(html, page, { variants, twins, settings, files, polyfill, digest }) {
  const scripts = findScripts(html).map((script, index) =>
    inlineTwin(html, page, script, index, twins, settings),
  );
  const imports = scripts.flatMap((script) => script.imports);
  const { root, isKnown } = rootAddress(html, page, { files, imports });
  const addressOf = (/** @type {string} */ name) => root + encodedName(name);
  const { html: output, kept } = withVariants(html, {
    variants,
    twinOf(url) {
      const file = fileOf(url, page, twins);
      if (file === null) return null;
      return { url: twinName(url), digest: (algorithm) => digest(twinName(file), algorithm) };
    },
    twinOfInline(index) {
      const { name, result } = scripts[index];
      return !isKnown || !result.table ? null : { url: addressOf(name), digest: () => '' };
    },
    twinOfImportMap: (json) => twinImportMap(json, page, twins, digest),
    polyfill: polyfill && addressOf(polyfill),
    chooser: addressOf(CHOOSER_FILE),
  });
  // The chooser has its tags with each % encoded.
  const used = scripts.filter(({ name }) => output.includes(addressOf(name).replaceAll('%', '%25')));
  const isLost = !isKnown && scripts.some(({ result }) => result.table);
  return { html: output, scripts: used, kept, isLost };
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
  /** @type {string[]} */
  const imports = [];
  const renamed = twinReferences(page, twins);
  const rename = (/** @type {string} */ reference) => {
    imports.push(reference);
    return renamed(reference);
  };
  try {
    const references = { rename, warns: true };
    const result = instrument(input, { ...settings, file: name, sourceType, references, sourceMap: false });
    result.summary.warnings = result.summary.warnings.map(inPage);
    return { name, input, result, imports };
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    const { line, column } = inPage(error);
    throw new SourceError(error.message, { file: page, line, column, code: html });
  }
}
