/** When nothing is known: what fits most windows and a mail. */
const DEFAULT_WIDTH = 100;

/**
 * @param {NodeJS.WriteStream} stream
 * @returns {{width: number, color: boolean}} columns, and whether colours are welcome (https://no-color.org,
 *   https://force-color.org)
 */
export function terminal(stream) {
  const { FORCE_COLOR, NO_COLOR } = process.env;
  const color = FORCE_COLOR ? FORCE_COLOR !== '0' : Boolean(stream.isTTY) && !NO_COLOR;
  return { width: stream.columns ?? DEFAULT_WIDTH, color };
}

/**
 * Pages may call their functions what they like, and files may be called anything; a terminal would do what it says.
 * @param {string} text of a line
 * @returns {string} without control characters
 */
export function printable(text) {
  return text.replace(/\p{C}/gu, '\ufffd');
}
