import { SourceError } from '../../instrumenter/source_error.js';
import { parseScript } from '../../instrumenter/syntax/parse.js';
import { headerOf } from '../headers.js';

/** @import { Answer } from '../headers.js' */
/** @import { Kind } from '../kinds.js' */

/**
 * Of an answer whose connection breaks off, Chromium's DevTools protocol gives what has arrived, and doesn't tell. The browser itself knows,
 * and fails the request once that is to go on as it is. Pages are none of these: browsers show what has arrived of them.
 *
 * @param {Kind} kind @param {Answer} answer as it came
 * @param {Answer} changed what the page is to get instead
 * @returns {boolean} the page is to get what came: it broke off, or may have and has got no probes
 */
export function mayHaveBrokenOff(kind, answer, changed) {
  if (kind === 'document' || kind === 'frame') return false;
  const length = lengthOf(answer);
  if (length !== undefined) return answer.body.length < length;
  // Of others nobody here knows. Half of a script is seldom one; where it is, it runs.
  return hasNoProbes(answer, changed) && !isScript(answer.body.toString());
}

/** @param {Answer} answer @returns {number | undefined} of the body that its server has promised; undefined: it did not, or of another form of it */
function lengthOf({ headers }) {
  const length = headerOf(headers, 'content-length');
  return length === undefined || headerOf(headers, 'content-encoding') ? undefined : Number(length);
}

/** @param {Answer} answer @param {Answer} changed */
function hasNoProbes({ body }, changed) {
  return changed.body.subarray(0, body.length).equals(body);
}

/** @param {string} code */
function isScript(code) {
  try {
    parseScript(code, { file: '', sourceType: 'unambiguous' });
    return true;
  } catch (error) {
    if (error instanceof SourceError) return false;
    throw error;
  }
}
