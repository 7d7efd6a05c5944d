import { byteOrderMark } from '../text/byte_order_mark.js';
import { LineIndex } from '../text/line_index.js';

/**
 * Misplaced segments that a map may have: a share of all, or some few, but not of the smallest maps.
 * Nearly all maps of other code have one in eight and more, those that fit hardly any; only minifiers that put constants in place of names are off there, which
 * shows in small scripts, and in the big ones of Turbopack, whose numbers of modules are such constants. `node bench/builds/map_misfits.js` counts both.
 */
const TOLERATED = { share: 0.05, few: 8, shareOfFew: 0.1, least: 2 };

/**
 * Was the source map made of this code? One of another build, or from before somebody changed the code, says of places in the middle of
 * words, and of places behind the ends of lines, where they come from.
 * @param {string} code
 * @param {import('@jridgewell/trace-mapping').DecodedSourceMap} map
 * @returns {string} what does not fit; empty: nothing, as far as one can tell
 */
export function mapMisfit(code, map) {
  const { segments, misplaced } = misplacedSegments(code, map);
  const { share, few, shareOfFew, least } = TOLERATED;
  if (misplaced <= Math.max(share * segments, Math.min(few, shareOfFew * segments), least)) return '';
  return `${misplaced} of its ${segments} segments begin in the middle of a word or behind the end of a line`;
}

/**
 * @param {string} code
 * @param {import('@jridgewell/trace-mapping').DecodedSourceMap} map
 * @returns {{segments: number, misplaced: number}} how many segments the map has, and how many of them no map of this code would have
 */
export function misplacedSegments(code, map) {
  const text = code.slice(byteOrderMark(code).length);
  const { starts } = new LineIndex(text);
  let segments = 0;
  let misplaced = 0;
  for (const [line, row] of map.mappings.entries()) {
    const start = starts[line] ?? Infinity;
    const end = starts[line + 1] ?? text.length;
    /** @type {import('@jridgewell/trace-mapping').SourceMapSegment | undefined} */
    let previous;
    for (const segment of row) {
      const at = start + segment[0];
      if (at > end || (isInWord(text, at) && !continues(segment, previous))) misplaced++;
      previous = segment;
    }
    segments += row.length;
  }
  return { segments, misplaced };
}

/** @param {string} text @param {number} at */
function isInWord(text, at) {
  return isWord(text.charCodeAt(at - 1)) && isWord(text.charCodeAt(at));
}

/** @param {number} code of a character, or NaN */
function isWord(code) {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 36
  );
}

/**
 * Some maps have a segment for each character.
 * @param {import('@jridgewell/trace-mapping').SourceMapSegment} segment
 * @param {import('@jridgewell/trace-mapping').SourceMapSegment | undefined} previous of the same line
 * @returns {boolean} is it as far from the one before as their sources are?
 */
function continues(segment, previous) {
  if (segment.length === 1 || !previous || previous.length === 1) return false;
  return (
    previous[1] === segment[1] &&
    previous[2] === segment[2] &&
    segment[0] - previous[0] === segment[3] - previous[3]
  );
}
