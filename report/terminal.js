/** When nothing is known: what fits most windows and a mail. */
const DEFAULT_WIDTH = 100;

/**
 * @param {NodeJS.WriteStream} stream
 * @returns {{width: number, color: boolean}} columns, and whether colours are welcome (https://no-color.org)
 */
export function terminal(stream) {
  const color = Boolean(process.env.FORCE_COLOR) || (stream.isTTY && !process.env.NO_COLOR);
  return { width: stream.columns ?? DEFAULT_WIDTH, color };
}
