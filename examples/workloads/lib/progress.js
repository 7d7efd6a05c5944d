/**
 * Says what is going on while it goes on: on a terminal in one line that is gone afterwards, elsewhere in a line each.
 * @template T
 * @param {string} what
 * @param {() => Promise<T>} step
 * @returns {Promise<T>}
 */
export async function withProgress(what, step) {
  const { stderr } = process;
  stderr.write(stderr.isTTY ? `${what} …` : `${what}\n`);
  try {
    return await step();
  } finally {
    if (stderr.isTTY) stderr.write('\r\x1b[2K');
  }
}
