import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const REPORTER = fileURLToPath(new URL('failed_tests_reporter.js', import.meta.url));

/** Failures of several runs of Node's test runner, for the end of a long output: what ran beside them hides them where they happened. */
export class FailedTests {
  /** Made for the first run. */
  #folder = '';
  #runs = 0;

  /** @returns {string[]} arguments of `node` for one run, which is shown as usual, too */
  reporters() {
    this.#folder ||= mkdtempSync(join(tmpdir(), 'polyprof-failed-'));
    const file = join(this.#folder, String(this.#runs++));
    return [
      ['spec', 'stdout'],
      [REPORTER, file],
    ].flatMap(([reporter, to]) => [`--test-reporter=${reporter}`, `--test-reporter-destination=${to}`]);
  }

  /** @returns {string} what failed so far, and why; empty: nothing */
  read() {
    if (!this.#folder) return '';
    return readdirSync(this.#folder)
      .map((name) => readFileSync(join(this.#folder, name), 'utf8'))
      .join('');
  }

  remove() {
    if (this.#folder) rmSync(this.#folder, { recursive: true, force: true });
  }
}
