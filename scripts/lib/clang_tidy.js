import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesIn } from './files.js';
import { ROOT, run } from './run.js';

/**
 * clang-tidy takes seconds a file, so a file that passed is not looked at again until it, a header or a setting changes.
 */

const PASSED = join(ROOT, 'build/tidy');

/** As many at once as the smallest machine we test on has cores. */
const PARALLEL = 2;

/** Compiled for the host: what is portable C++ is the same for WebAssembly. */
const COMPILER_FLAGS = ['-std=c++20', '-I.', '-fno-exceptions', '-fno-rtti', '-Wall', '-Wextra'];

/** Checks runtime/ and wasm/. Rejects with what clang-tidy said of the first file that fails. */
export async function runClangTidy() {
  mkdirSync(PASSED, { recursive: true });
  const version = await run('clang-tidy', ['--version'], { quiet: true });
  const shared = createHash('sha256').update(version).update(COMPILER_FLAGS.join(' '));
  for (const path of ['.clang-tidy', ...filesIn(['runtime', 'wasm'], /\.h$/)]) {
    shared.update(path).update(readFileSync(join(ROOT, path)));
  }
  const files = filesIn(['runtime', 'wasm'], /\.cpp$/);
  const due = files.filter((path) => !existsSync(stampOf(path)));
  console.log(`${files.length} files, ${due.length} changed since they passed`);
  await Promise.all(Array.from({ length: PARALLEL }, worker));

  async function worker() {
    for (let path = due.shift(); path; path = due.shift()) {
      await run('clang-tidy', ['--quiet', '--warnings-as-errors=*', path, '--', ...COMPILER_FLAGS], {
        quiet: true,
      });
      writeFileSync(stampOf(path), '');
      console.log(`  ${path}`);
    }
  }

  /** @param {string} path */
  function stampOf(path) {
    const key = shared
      .copy()
      .update(path)
      .update(readFileSync(join(ROOT, path)));
    return join(PASSED, key.digest('hex'));
  }
}
