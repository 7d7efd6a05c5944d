import { UsageError } from '../../instrumenter/command/usage_error.js';
import { TAKE_SMALL } from '../../instrumenter/skipped.js';
import { writeArtefacts } from '../artefacts.js';
import { completeProfileOptions } from '../options.js';
import { printableLines } from '../printable_lines.js';
import { readFlow } from './flow.js';
import { recordRun } from './record.js';
import { counted, MergedResults, printProfiles } from './results.js';
import { serveTarget } from './target.js';

/** @import { PageProfiles } from '../artefacts.js' */

/**
 * @typedef {object} RunOptions
 * @property {'chromium' | 'firefox' | 'webkit' | 'any'} browser
 * @property {string} [script] file with what is to be done in the page
 * @property {number} seconds to record after the page has loaded, if nothing drives it
 * @property {number} repeat runs
 * @property {boolean} [headed]
 * @property {string} output folder
 * @property {string} name of the files
 * @property {number} interval ms
 * @property {'flag' | 'shadow'} probe
 * @property {number} [minWeight]
 * @property {string[]} [include]
 * @property {string[]} [exclude]
 * @property {string[]} [sourceMaps]
 * @property {boolean} isolate
 * @property {boolean} [blockServiceWorkers]
 * @property {boolean} [ignoreHttpsErrors]
 * @property {string} [executable]
 * @property {number} top rows of each table
 */

/**
 * `polyprof run`. What is wrong is told, and makes the exit code 1.
 * @param {string} target @param {string[]} command that opens the page, in any browser; empty: there is none
 * @param {RunOptions} options
 * @throws {UsageError}
 */
export async function run(target, command, options) {
  if (command.length > 0) options = { ...options, browser: 'any' };
  /** @type {string[]} */
  const notes = [];
  const { settings, artefacts } = profileOptions(options, (note) => {
    // Each run has its own.
    if (notes.includes(note)) return;
    notes.push(note);
    console.error(printableLines(`note: ${note}`));
  });
  if (options.browser === 'any') assertNobodyDrives(options);
  if (options.headed) assertDisplay();
  // A command checks what it asks for as it would without us.
  const env = { ...process.env };
  // What browsers do not ask for themselves is asked for by Node.
  if (options.ignoreHttpsErrors) process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
  const flow = options.script === undefined ? null : await readFlow(options.script);
  const site = await serveTarget(target);
  try {
    const runs = { ...options, url: site.url, command, env, flow, settings, artefacts };
    await (options.repeat > 1 ? profileOften(runs) : profileOnce(runs));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const { message } = /** @type {Error} */ (error);
    console.error(printableLines(`error: ${message.replace(/^polyprof: /, '')}`));
    if ([message, ...notes].some(isAboutCertificate))
      console.error('--ignore-https-errors opens the page all the same.');
    process.exitCode = 1;
  } finally {
    await site.close();
  }
}

/** @param {RunOptions} options @throws {UsageError} */
function assertNobodyDrives({ script, headed, executable }) {
  const [option] = Object.entries({ script, headed, executable }).find(([, value]) => value) ?? [];
  if (option) throw new UsageError(`--${option} is of browsers that polyprof opens; you open this one`);
}

/** @throws {UsageError} browsers would only say that they did not start */
function assertDisplay() {
  if (process.platform !== 'linux' || process.env.DISPLAY || process.env.WAYLAND_DISPLAY) return;
  throw new UsageError('--headed shows the browser, and there is no display here: DISPLAY is not set');
}

/** @param {string} message of a browser or of Node */
function isAboutCertificate(message) {
  return /ERR_CERT_|_CERT\b|\bcertificate\b/.test(message);
}

/** @param {RunOptions} options @param {(note: string) => void} onNote */
function profileOptions({ interval, isolate, blockServiceWorkers, output, ...options }, onNote) {
  const { name, probe, minWeight, include, exclude, sourceMaps } = options;
  try {
    const { settings, artefacts } = completeProfileOptions({
      sampleInterval: interval,
      probe,
      ...(minWeight !== undefined && { minWeight }),
      ...(include && { include }),
      ...(exclude && { exclude }),
      ...(sourceMaps && { sourceMaps }),
      isolate,
      ...(blockServiceWorkers && { serviceWorkers: 'block' }),
      outDir: output,
      name,
      onNote,
    });
    return { settings: { ...settings, takeSmall: TAKE_SMALL.onCommandLine }, artefacts };
  } catch (error) {
    throw new UsageError(/** @type {Error} */ (error).message.replace(/^polyprof: /, ''));
  }
}

/** @typedef {Parameters<typeof recordRun>[0] & ReturnType<typeof profileOptions>} Runs */

/** More tabs than anybody reads tables of. */
const MANY_TABS = 4;

/** @param {Runs} options */
async function profileOnce(options) {
  const { tabs, summary, failure } = await recordRun(options);
  if (summary) console.log(printableLines(summary));
  if (tabs.length > MANY_TABS) await reportTogether(tabs, options);
  else {
    for (const profiles of tabs) {
      const files = await writeArtefacts(profiles, options.artefacts);
      printProfiles(profiles, { rows: options.top });
      console.log(`\nwritten: ${files.join(', ')}`);
    }
  }
  if (failure) throw failure.error;
}

/** @param {PageProfiles[]} tabs @param {Runs} options */
async function reportTogether(tabs, options) {
  const results = new MergedResults(options);
  for (const profiles of tabs) await results.add(profiles);
  await results.finish(counted(tabs.length, 'tab'));
}

/** What was recorded before one of the runs fails is kept. @param {Runs} options */
async function profileOften(options) {
  const { repeat } = options;
  const results = new MergedResults(options);
  let runs = 0;
  try {
    while (runs < repeat) {
      const { tabs, failure } = await recordRun(options);
      if (failure) throw failure.error;
      for (const profiles of tabs) {
        const files = await results.add(profiles);
        console.error(`run ${runs + 1} of ${repeat}: ${files.join(', ')}`);
      }
      runs++;
    }
  } finally {
    if (runs > 0) await results.finish(counted(runs, 'run'));
  }
}
