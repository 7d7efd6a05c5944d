import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { htmlReport } from '../report/html_report.js';
import { writeWholeFile } from '../report/write_file.js';

/** @import { Profile } from '../report/formats.js' */
/** @import { Artefacts } from './options.js' */

/** Files of this process: a second profile of a name gets a number. @type {Set<string>} */
const written = new Set();

/**
 * Writes `<name>.trace.json`, which every command of `polyprof` reads, and `<name>.html`.
 * @param {Profile} profile with the names of the sources
 * @param {Artefacts} where
 * @returns {Promise<string[]>} the files, none if nobody wants them
 */
export async function writeArtefacts({ trace, details, name: title }, { outDir, testInfo, name }) {
  if (outDir === undefined && !testInfo) return [];
  if (outDir !== undefined) mkdirSync(outDir, { recursive: true });
  const pathOf = (/** @type {string} */ file) =>
    outDir === undefined ? /** @type {any} */ (testInfo).outputPath(file) : join(outDir, file);
  let base = name;
  for (let i = 2; written.has(pathOf(base)); i++) base = `${name}-${i}`;
  written.add(pathOf(base));

  const files = [
    { file: `${base}.trace.json`, type: 'application/json', content: JSON.stringify({ ...details, trace }) },
    {
      file: `${base}.html`,
      type: 'text/html',
      content: htmlReport([{ name: title, trace, details }]),
    },
  ];
  for (const { file, type, content } of files) {
    const path = pathOf(file);
    await writeWholeFile(path, content);
    await testInfo?.attach(file, { path, contentType: type });
  }
  return files.map(({ file }) => pathOf(file));
}
