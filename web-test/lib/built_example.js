import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/**
 * An example without a bundler, built by the command in its README.
 * @param {string} name of the folder in `examples/`
 * @param {string} out folder, made if it is not there
 * @returns {string} that folder
 */
export function builtExample(name, out) {
  const folder = join(ROOT, 'examples', name);
  const readme = readFileSync(join(folder, 'README.md'), 'utf8');
  const [, start, options] = /^npx polyprof (instrument site -o) public (.*)$/m.exec(readme) ?? [];
  if (!start) throw new Error(`the README of ${name} does not say how to instrument it`);
  mkdirSync(out, { recursive: true });
  execFileSync(
    process.execPath,
    [join(ROOT, 'instrumenter/cli.js'), ...start.split(' '), out, ...options.split(' ')],
    { cwd: folder, stdio: 'pipe' },
  );
  return out;
}
