import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const REPORTER = fileURLToPath(new URL('failed_tests_reporter.js', import.meta.url));

/** Failures of several runs of Node's test runner, for the end of a long output: what ran beside them hides them where they happened. */
export class FailedTests {
  #folder = mkdtempSync(join(tmpdir(), 'polyprof-failed-'));
  #runs = 0;

  /** @returns {string[]} arguments of `node` for one run, which is shown as usual, too */
  reporters() {
    const file = join(this.#folder, String(this.#runs++));
    return [
      ['spec', 'stdout'],
      [REPORTER, file],
    ].flatMap(([reporter, to]) => [`--test-reporter=${reporter}`, `--test-reporter-destination=${to}`]);
  }

  /** @returns {string} what failed so far, and why; empty: nothing */
  read() {
    return readdirSync(this.#folder)
      .map((name) => readFileSync(join(this.#folder, name), 'utf8'))
      .join('');
  }

  remove() {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
