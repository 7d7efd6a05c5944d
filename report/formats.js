import { folded } from './folded.js';
import { speedscope } from './speedscope.js';

/** @import { ProfilerTrace } from './check_trace.js' */

/**
 * @typedef {{name: string, trace: ProfilerTrace}} Profile a checked trace and what to call it
 *
 * @typedef {object} Format a kind of file that traces are converted to
 * @property {string} extension of the file, by which it is chosen
 * @property {string} description for the help text
 * @property {(profiles: Profile[]) => string} convert several profiles into the text of one file
 */

/** @type {readonly Format[]} */
export const FORMATS = Object.freeze([
  { extension: '.speedscope.json', description: 'https://www.speedscope.app', convert: speedscope },
  { extension: '.folded', description: 'collapsed stacks, for flamegraph.pl and its kin', convert: folded },
]);

/** @param {string} file @returns {Format | undefined} by the file's extension */
export function formatOf(file) {
  return FORMATS.find(({ extension }) => file.endsWith(extension));
}
