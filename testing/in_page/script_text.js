/**
 * The files of this folder run in pages and workers, where nothing can be imported: a script is put together of the texts of what it needs.
 * There they share one scope, so each of them may use the others and the constants by the names under which its own file imports them, and
 * nothing that is not sent along. Texts have to be understood by every browser that the polyfill supports.
 *
 * @param {Record<string, Function | string | number | Record<string, string>>} parts by the names that they have in their files: functions and
 *   classes, and constants
 * @param {string} call what the script does with them
 * @returns {string} a script that leaves no name behind
 */
export function scriptOf(parts, call) {
  const declarations = Object.entries(parts).map(([name, part]) =>
    typeof part === 'function' ? String(part) : `const ${name} = ${JSON.stringify(part)};`,
  );
  return `(() => {${declarations.join('\n')}\n${call};})();`;
}
