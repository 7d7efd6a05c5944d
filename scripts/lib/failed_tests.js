import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const REPORTER = fileURLToPath(new URL('failed_tests_reporter.js', import.meta.url));

/** Failures of several runs of Node's test runner, for the end of a long output: what ran beside them hides them where they happened. */
export class FailedTests {
  /** Made for the first run. */
  #folder = '';

  /** @returns {{args: string[], env: Record<string, string>}} of `node` for a run, which is shown as usual, too */
  reporters() {
    this.#folder ||= mkdtempSync(join(tmpdir(), 'polyprof-failed-'));
    const args = ['spec', REPORTER].flatMap((reporter) => [
      `--test-reporter=${reporter}`,
      '--test-reporter-destination=stdout',
    ]);
    return { args, env: { FAILED_TESTS: this.#file } };
  }

  /** @returns {string} what failed so far, and why; empty: nothing */
  read() {
    return this.#folder && existsSync(this.#file) ? readFileSync(this.#file, 'utf8') : '';
  }

  remove() {
    if (this.#folder) rmSync(this.#folder, { recursive: true, force: true });
  }

  get #file() {
    return join(this.#folder, 'failed.txt');
  }
}
