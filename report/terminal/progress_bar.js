/** Not for what is done in a blink. */
const MIN_FILES = 20;

/**
 * A line that says how many files are done; only in a terminal.
 * @param {NodeJS.WriteStream} stream
 * @returns {{show: (done: number, all: number) => void, clear: () => void}}
 */
export function progressBar(stream) {
  let shown = '';
  const clear = () => {
    if (shown) stream.write('\r\x1b[K');
    shown = '';
  };
  return {
    show(done, all) {
      if (!stream.isTTY || all < MIN_FILES) return;
      const filled = Math.round((done / all) * 30);
      const line = `${'█'.repeat(filled)}${'░'.repeat(30 - filled)} ${done} of ${all} files`;
      if (line === shown) return;
      shown = line;
      stream.write(`\r${line}\x1b[K`);
    },
    clear,
  };
}
