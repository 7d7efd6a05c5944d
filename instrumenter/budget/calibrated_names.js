/**
 * Paths of sources are relative to where a command runs. Where the calibration was made in a folder above, or below, all of them have the same folders more, or less.
 * @param {readonly string[]} paths of a script's sources
 * @param {Readonly<Record<string, unknown>>} sources of the calibration
 * @returns {(path: string) => string} what it is called in the calibration, if it is there
 */
export function calibratedNames(paths, sources) {
  if (paths.some((path) => path !== '' && Object.hasOwn(sources, path))) return (path) => path;
  const byFile = pathsByFile(sources);
  /** How often which folders are more, as `-` and `+` and their path. @type {Map<string, number>} */
  const counts = new Map();
  for (const path of paths) {
    for (const name of byFile.get(fileOf(path)) ?? []) {
      // A file in no folder is like any other of its name.
      const [longer, shorter] = path.length > name.length ? [path, name] : [name, path];
      if (!shorter.includes('/') || !longer.endsWith(`/${shorter}`)) continue;
      const shift = (longer === path ? '-' : '+') + longer.slice(0, -shorter.length);
      counts.set(shift, (counts.get(shift) ?? 0) + 1);
    }
  }
  const [[shift] = ['+']] = [...counts].sort((a, b) => b[1] - a[1]);
  const folders = shift.slice(1);
  if (shift[0] === '+') return (path) => folders + path;
  return (path) => (path.startsWith(folders) ? path.slice(folders.length) : path);
}

/** @param {string} path */
const fileOf = (path) => path.slice(path.lastIndexOf('/') + 1);

/** Of each calibration: a build asks for each of its scripts. @type {WeakMap<object, Map<string, string[]>>} */
const known = new WeakMap();

/** @param {Readonly<Record<string, unknown>>} sources @returns {Map<string, string[]>} */
function pathsByFile(sources) {
  const ready = known.get(sources);
  if (ready) return ready;
  /** @type {Map<string, string[]>} */
  const paths = new Map();
  for (const path of Object.keys(sources)) {
    const file = fileOf(path);
    paths.set(file, [...(paths.get(file) ?? []), path]);
  }
  known.set(sources, paths);
  return paths;
}
