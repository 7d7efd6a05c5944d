import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const CLI = fileURLToPath(new URL('../../../instrumenter/cli.js', import.meta.url));

/**
 * A folder for one test, deleted after it.
 *
 * @param {import('node:test').TestContext} context
 * @param {Record<string, string | Uint8Array>} files by their paths
 */
export function site(context, files) {
  const folder = mkdtempSync(join(tmpdir(), 'polyprof-cli-'));
  context.after(() => rmSync(folder, { recursive: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return {
    folder,
    /** @param {string} name */
    read: (name) => readFileSync(join(folder, name), 'utf8'),
    /** @param {string} [name] of a folder @returns {string[]} the files in it and below, sorted; none if it is not there */
    list(name = '') {
      try {
        const entries = readdirSync(join(folder, name), { recursive: true, withFileTypes: true });
        const files = entries.filter((entry) => entry.isFile());
        return files
          .map((entry) => join(entry.parentPath, entry.name).slice(join(folder, name, 'x').length - 1))
          .sort();
      } catch {
        return [];
      }
    },
    /** @param {string[]} args of `polyprof`, run in the folder */
    polyprof(...args) {
      const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...args], {
        cwd: folder,
        encoding: 'utf8',
      });
      return { status, stdout, stderr };
    },
  };
}
