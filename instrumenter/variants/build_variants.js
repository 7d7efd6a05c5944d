import { createHash } from 'node:crypto';
import path from 'node:path';
import { twinName } from './twin_name.js';
import { fileOf } from './twins.js';
import { withVariants } from './html_variants.js';

const PAGE = /\.html?$/i;

/** @param {string} file */
export const isPage = (file) => PAGE.test(file);

/**
 * A page of a bundler's output, which chooses between the scripts and their twins.
 * @param {string} html
 * @param {string} file its name within the output folder
 * @param {object} build
 * @param {import('./variant_options.js').VariantSettings} build.variants
 * @param {import('./twins.js').Twins} build.twins
 * @param {(file: string) => string | Uint8Array} build.contentOf a file of the output
 * @param {{polyfill: string | null, chooser: string}} build.runtime names of files of the output; `polyfill` null: the page brings it
 * @param {(message: string) => void} build.warn
 * @returns {string}
 */
export function choosingPage(html, file, { variants, twins, contentOf, runtime, warn }) {
  const { base = '' } = twins;
  const isAbsolute = /^(\/|[a-z][a-z\d+.-]*:)/i.test(base);
  const addressOf = (/** @type {string} */ target) =>
    isAbsolute
      ? base.replace(/\/?$/, '/') + target
      : path.posix.relative(path.posix.dirname(file), target).replace(/^(?!\.)/, './');
  const { html: output, kept } = withVariants(html, {
    variants,
    twinOf(url) {
      const script = fileOf(url, file, twins);
      if (script === null) return null;
      const digest = (/** @type {string} */ algorithm) =>
        createHash(algorithm)
          .update(contentOf(twinName(script)))
          .digest('base64');
      return { url: twinName(url), digest };
    },
    polyfill: runtime.polyfill && addressOf(runtime.polyfill),
    chooser: addressOf(runtime.chooser),
  });
  if (kept.length > 0) warn(`${file}: ${KEPT}`);
  return output;
}

/** Of scripts of which a page has only one variant. */
export const KEPT = "a script has '-->' in its text: it is the same in both variants, without probes";
