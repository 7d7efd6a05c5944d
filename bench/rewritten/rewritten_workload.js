import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { cachedFolder, contentKey } from '../../examples/workloads/lib/cache.js';

/**
 * @param {string} plain folder of a workload
 * @param {string} out of all workloads that are rewritten so
 * @param {(code: string, file: string) => string} rewrite
 * @param {string} [key] what its result depends on besides the code and its own text; by default what it makes of nothing
 * @returns {Promise<string>} a folder of the workload's name, the same with its scripts rewritten
 */
export function rewritten(plain, out, rewrite, key = rewrite('', 'empty.js')) {
  const name = basename(plain);
  const files = [
    `${name}.js`,
    ...(name === 'startup' ? ['library.js'] : []),
    'page.js',
    'index.html',
    'input.json',
  ];
  const texts = files.map((file) => readFileSync(join(plain, file), 'utf8'));
  return cachedFolder(join(out, name), contentKey([String(rewrite), key, ...texts]), (folder) => {
    files.forEach((file, i) => {
      const isOurs = file === `${name}.js` || file === 'library.js';
      writeFileSync(join(folder, file), isOurs ? rewrite(texts[i], file) : texts[i]);
    });
  });
}
