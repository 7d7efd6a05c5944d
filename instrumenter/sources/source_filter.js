import picomatch from 'picomatch';

/**
 * A name of an npm package (`react-dom`, `@scope/name`: a text without glob characters and with no other slash), a glob of module
 * paths relative to the project's root, or a regular expression for them.
 * @typedef {string | RegExp} SourcePattern
 */

/**
 * @template {SourcePattern} [P=SourcePattern]
 * @param {{include: P[], exclude: P[]}} patterns
 * @param {(pattern: P) => (source: string) => boolean} [matcherOf] by default that of sources
 * @returns {(source: string) => boolean} whether functions of a source may have probes; `source`: its path relative to the project's
 *   root, with `/`; empty: unknown, as what a bundler adds
 */
export function sourceFilter({ include, exclude }, matcherOf = matcher) {
  const included = include.map((pattern) => matcherOf(pattern));
  const excluded = exclude.map((pattern) => matcherOf(pattern));
  return (source) =>
    (included.length === 0 || included.some((matches) => matches(source))) &&
    !excluded.some((matches) => matches(source));
}

/** A text without glob characters, and with a slash only after a scope. */
const PACKAGE_NAME = /^(@[^\s/*?{}[\]()!]+\/)?[^\s/*?{}[\]()!@.][^\s/*?{}[\]()!]*$/;

/** @param {SourcePattern} pattern @returns {(source: string) => boolean} */
export function matcher(pattern) {
  if (pattern instanceof RegExp) return (source) => source.search(pattern) >= 0;
  if (PACKAGE_NAME.test(pattern)) return (source) => packageOf(source) === pattern;
  return picomatch(pattern.replace(/^\.\//, ''), { dot: true });
}

/** @param {string} source @returns {string} name of the package that a source belongs to; empty: to none */
function packageOf(source) {
  const [, name = ''] = /.*(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source) ?? [];
  return name;
}
