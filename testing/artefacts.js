import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { htmlReport } from '../report/formats/html_report.js';
import { writeWholeFile } from '../report/write_file.js';
import { takeFreeName } from './free_name.js';

/** @import { Artefacts } from './options.js' */

/** @typedef {(import('./recording.js').Recorded & {name: string, kind?: import('./in_page/outcome.js').RealmKind})[]} PageProfiles of the page; then of its workers and frames */

/**
 * Writes `<name>.trace.json`, which every command of `polyprof` reads, `<name>.worker-1.trace.json`, `<name>.frame-1.trace.json` and so on, and `<name>.html` with all
 * of them. What an earlier run has left under this name is gone then.
 * @param {PageProfiles} profiles with the names of the sources
 * @param {Artefacts & {traceOnly?: boolean}} where `traceOnly`: no HTML
 * @returns {Promise<string[]>} the files, none if nobody wants them
 */
export async function writeArtefacts(profiles, { outDir, testInfo, name, traceOnly = false }) {
  if (outDir === undefined && !testInfo) return [];
  if (outDir !== undefined) mkdirSync(outDir, { recursive: true });
  const pathOf = (/** @type {string} */ file) =>
    outDir === undefined ? /** @type {any} */ (testInfo).outputPath(file) : join(outDir, file);
  const base = takeFreeName(name, (free) => pathOf(`${free}.trace.json`));

  const run = profiles.length > 1 ? { run: randomUUID() } : {};
  const files = [
    ...profiles.map(({ trace, details, kind }, i) => ({
      file: `${base}${kind ? `.${kind}-${numberOf(i, profiles)}` : ''}.trace.json`,
      type: 'application/json',
      content: JSON.stringify({ ...details, ...run, trace }),
    })),
    ...(traceOnly ? [] : [{ file: `${base}.html`, type: 'text/html', content: htmlReport(profiles) }]),
  ];
  for (const { file, type, content } of files) {
    const path = pathOf(file);
    await writeWholeFile(path, content);
    await testInfo?.attach(file, { path, contentType: type });
  }
  removeEarlier(
    base,
    dirname(pathOf(base)),
    files.map(({ file }) => file),
  );
  return files.map(({ file }) => pathOf(file));
}

const OF_REALM = /^\.(worker|frame)-\d+\.trace\.json$/;

/**
 * An earlier run may have had more workers and frames, whose traces would count as a run of their own.
 * @param {string} base name of a page's files @param {string} folder @param {string[]} written files
 */
function removeEarlier(base, folder, written) {
  for (const file of readdirSync(folder)) {
    const isOfRealm = file.startsWith(base) && OF_REALM.test(file.slice(base.length));
    if (isOfRealm && !written.includes(file)) rmSync(join(folder, file), { force: true });
  }
}

/**
 * @param {import('./recording.js').RecordedPage} recorded
 * @param {string} name of the page
 * @returns {PageProfiles}
 */
export function pageProfiles({ realms, ...page }, name) {
  return [
    { name, ...page },
    ...realms.map((realm) => ({ name: `${realm.kind} ${realm.details.url}`, ...realm })),
  ];
}

/** Among its kind, from 1. @param {number} index @param {PageProfiles} profiles */
function numberOf(index, profiles) {
  return profiles.slice(0, index + 1).filter(({ kind }) => kind === profiles[index].kind).length;
}
