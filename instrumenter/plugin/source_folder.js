import path from 'node:path';

/** So many sources of the map are tried, to save time. */
const ASKED = 20;

/**
 * The folder that relative sources of a chunk's map are relative to. Frameworks such as Nuxt make bundlers write them as if the chunk were in another folder than it is. Then hardly any
 * of them, resolved against the chunk's folder, is one of its modules; so we look for the folder with which most are.
 * @param {(string | null)[]} sources
 * @param {string[]} modules ids that the bundler gave the modules of the chunk: absolute paths, with queries, or names of its own
 * @param {string} folder of the chunk, absolute
 * @returns {string} absolute; the same one, if there is none that is better
 */
export function sourceFolder(sources, modules, folder) {
  const files = new Set(modules.map((id) => id.replace(/\?.*$/s, '')));
  const count = (/** @type {string} */ from) =>
    sources.filter((source) => source && files.has(path.resolve(from, source))).length;
  let [best, most] = [folder, count(folder)];
  if (most * 2 >= files.size) return folder;
  for (const source of sources.slice(0, ASKED)) {
    const [, up, rest] = /^((?:\.\.\/)+)(.+)$/s.exec(source ?? '') ?? [];
    if (!rest) continue;
    for (const file of files) {
      if (!file.endsWith(`/${rest}`)) continue;
      const from = path.resolve(file.slice(0, -rest.length), up.replaceAll('..', 'x'));
      const found = count(from);
      if (found > most) [best, most] = [from, found];
    }
  }
  return best;
}
