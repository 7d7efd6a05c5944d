import { styleText } from 'node:util';
import { describeLosses } from '../traces/losses.js';
import { shortFile } from '../traces/location.js';
import { formatCount, percent } from '../numbers.js';
import { printable } from './terminal.js';

/** @import { CallTree } from '../traces/call_tree.js' */
/** @import { Location } from '../traces/location.js' */
/** @typedef {Parameters<typeof styleText>[0]} Style */

/**
 * @typedef {object} TableOptions
 * @property {number} [width] columns of the terminal, 100 by default; fewer than 60 count as 60
 * @property {boolean} [color] with terminal colours
 * @property {number} [rows] functions at most, 20 by default
 * @property {Record<string, number>} [losses] what the profiler counted, by reason; said below the table
 */

/** Columns left of the names: each as wide as its heading, two blanks between. */
const NUMBERS = ['self %', 'total %', 'samples'];
const NUMBERS_WIDTH = NUMBERS.reduce((sum, heading) => sum + heading.length + 2, 0);

/** From this share of the time a function is worth a second look, from that one a first. */
const WARM = 0.03;
const HOT = 0.1;

/**
 * The functions with the most self time. Shares are of the samples that have a stack; idle ones are in the line below.
 * @param {CallTree} tree
 * @param {TableOptions} [options]
 * @returns {string} lines, none wider than `width`, each with its end
 */
export function formatTable(tree, { width = 100, color = false, rows = 20, losses } = {}) {
  const paint = (/** @type {Style | null} */ style, /** @type {string} */ text) =>
    color && style ? styleText(style, text) : text;
  const busy = tree.samples - tree.idle;
  const columns = Math.max(width, 60);
  const functions = tree.functions.slice(0, rows);
  const names = functions.map(({ location }) => printable(location.name));
  const places = shortPlaces(functions.map(({ location }) => location)).map(printable);
  const { nameWidth, placeWidth } = textWidths(names, places, columns - NUMBERS_WIDTH - 2);

  const lines = [];
  if (functions.length > 0) {
    const headings = [...NUMBERS.map((heading) => `${heading}  `), `${'function'.padEnd(nameWidth)}  where`];
    lines.push(paint('bold', headings.join('').slice(0, columns)));
  }
  functions.forEach(({ self, total }, i) => {
    const share = busy === 0 ? 0 : self / busy;
    const numbers = [
      paint(styleOf(share), percent(self, busy).padStart(6)),
      percent(total, busy).padStart(7),
      formatCount(self).padStart(7),
    ];
    const name = clipEnd(names[i], nameWidth).padEnd(nameWidth);
    const place = clipStart(places[i], placeWidth);
    lines.push(
      `${numbers.join('  ')}  ${paint(share >= WARM ? 'bold' : null, name)}  ${paint('dim', place)}`,
    );
  });
  lines.push(...footer(tree, rows, columns, losses).map((line) => paint('dim', line)));
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}

/** @param {CallTree} tree @param {number} rows @param {number} width @param {Record<string, number>} [losses] */
function footer({ functions, samples, idle }, rows, width, losses) {
  if (samples === 0) return ['no samples'];
  const lines = [];
  const more = functions.slice(rows);
  if (more.length > 0) {
    const rest = more.reduce((sum, { self }) => sum + self, 0);
    const count = `${formatCount(more.length)} more function${more.length === 1 ? '' : 's'}`;
    lines.push(`${percent(rest, samples - idle).padStart(6)}  in ${count}`);
  }
  const count = `${formatCount(samples)} sample${samples === 1 ? '' : 's'}`;
  const facts = `${count}: ${percent(idle, samples)} % idle`;
  const phrases = [facts, ...(losses ? describeLosses(losses) : [])];
  return [...lines, ...wrapped(printable(phrases.join(', ')), width)];
}

/** @param {string} text @param {number} width @returns {string[]} lines, broken at blanks */
function wrapped(text, width) {
  return text.match(new RegExp(`\\S.{0,${width - 1}}(?=\\s|$)`, 'g')) ?? [];
}

/** Places get what they need, but names two fifths. @param {string[]} names @param {string[]} places @param {number} width */
function textWidths(names, places, width) {
  const longestName = longest(names, 8);
  const longestPlace = longest(places, 5);
  const fair = Math.max(Math.floor(width * 0.4), width - longestPlace);
  const nameWidth = Math.min(longestName, fair);
  return { nameWidth, placeWidth: width - nameWidth };
}

/** @param {string[]} texts @param {number} least @returns {number} characters */
function longest(texts, least) {
  return texts.reduce((most, { length }) => Math.max(most, length), least);
}

/** @param {number} share of the self time @returns {Style | null} */
function styleOf(share) {
  if (share >= HOT) return ['bold', 'red'];
  if (share >= WARM) return 'yellow';
  return null;
}

/** Files and lines; with columns where a line has several of the functions, as in minified files. @param {Location[]} locations */
function shortPlaces(locations) {
  /** @type {Map<string, Set<number | undefined>>} */
  const columnsByPlace = new Map();
  for (const location of locations) {
    const place = shortPlace(location);
    const columns = columnsByPlace.get(place) ?? new Set();
    columnsByPlace.set(place, columns.add(location.column));
  }
  return locations.map((location) => {
    const place = shortPlace(location);
    const isShared = (columnsByPlace.get(place)?.size ?? 0) > 1;
    return isShared && location.column !== undefined ? `${place}:${location.column}` : place;
  });
}

/** @param {Location} location */
function shortPlace({ file, line }) {
  if (!file) return '(browser)';
  return line === undefined ? shortFile(file) : `${shortFile(file)}:${line}`;
}

/** @param {string} text @param {number} width */
function clipEnd(text, width) {
  return text.length <= width ? text : `${text.slice(0, width - 1)}…`;
}

/** The end of a path says the most, and of a query its end; whole folders where possible. @param {string} text @param {number} width @returns {string} */
function clipStart(text, width) {
  if (text.length <= width) return text;
  const [path, query] = text.split(/(?<=\?)(.*)/s);
  if (query && path.length <= width / 2) return path + clipStart(query, width - path.length);
  const end = text.slice(text.length - width + 1);
  const slash = end.indexOf('/');
  return `…${slash < 0 ? end : end.slice(slash)}`;
}
