/** The polyfill must not have probes: the files of `dist/`, wherever a site keeps them, and the sources that they are made from. */
const POLYFILL =
  /(^|\/)(polyprof(-(beacon|bundled|chooser|extra|gzip|mozilla|runtime|self-timed|watch|whole|worker))?\.[cm]?js$|node_modules\/polyprof\/)|^\0polyprof-runtime$/;

/** @param {string} source or name of a script @returns {boolean} */
export const isPolyfill = (source) => POLYFILL.test(source);

/**
 * @param {((source: string) => boolean) | undefined} selectSource
 * @returns {(source: string) => string} why functions of a source have no probes; empty: they may
 */
export function exclusions(selectSource) {
  /** @type {Map<string, string>} */
  const known = new Map();
  return (source) => {
    let reason = known.get(source);
    if (reason === undefined) {
      if (isPolyfill(source)) reason = 'polyfill';
      else reason = !selectSource || selectSource(source) ? '' : 'excluded';
      known.set(source, reason);
    }
    return reason;
  };
}
