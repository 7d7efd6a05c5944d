import { matcher } from './source_filter.js';

/** @typedef {import('./source_filter.js').SourcePattern} SourcePattern */

/**
 * Patterns that choose nothing are most often mistyped.
 * @param {Record<string, SourcePattern[] | undefined>} patterns by option
 * @param {Iterable<string>} texts all that they could match
 * @param {string} what these are
 * @param {(pattern: any) => (text: string) => boolean} [matcherOf] by default that of sources
 * @returns {string[]} a note for each
 */
export function unusedPatterns(patterns, texts, what, matcherOf = matcher) {
  const all = [...texts];
  return Object.entries(patterns).flatMap(([option, given = []]) =>
    given
      .filter((pattern) => {
        const matches = matcherOf(pattern);
        return !all.some((text) => matches(text));
      })
      .map((pattern) => `${option} ${pattern}: no ${what} matches that`),
  );
}
