import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { UsageError } from '../../instrumenter/command/usage_error.js';
import { serveFolder } from '../../instrumenter/serve_folder.js';
import { callTree } from '../../report/call_tree.js';
import { formatTable } from '../../report/table.js';
import { terminal } from '../../report/terminal.js';
import { writeArtefacts } from '../artefacts.js';
import { completeProfileOptions } from '../options.js';
import { Recording } from '../recording.js';
import { openPage } from './open_page.js';
import { openWebkit } from './open_webkit.js';

/**
 * @typedef {object} RunOptions
 * @property {'chromium' | 'firefox' | 'webkit'} browser
 * @property {string} [script]
 * @property {number} seconds
 * @property {boolean} [headed]
 * @property {string} output
 * @property {string} name
 * @property {number} interval
 * @property {'flag' | 'shadow'} probe
 * @property {number} [minWeight]
 * @property {string[]} [include]
 * @property {string[]} [exclude]
 * @property {string[]} [sourceMaps]
 * @property {boolean} isolate
 * @property {boolean} [blockServiceWorkers]
 * @property {boolean} [ignoreHttpsErrors]
 * @property {string} [executable]
 * @property {number} top
 */

/**
 * `polyprof run`. What is wrong is told, and makes the exit code 1.
 * @param {string} target @param {RunOptions} options
 * @throws {UsageError}
 */
export async function run(target, options) {
  /** @type {string[]} */
  const notes = [];
  const { settings, artefacts } = profileOptions(options, (note) => {
    notes.push(note);
    console.error(`note: ${note}`);
  });
  if (options.headed) assertDisplay();
  // What browsers do not ask for themselves is asked for by Node.
  if (options.ignoreHttpsErrors) process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
  const flow = options.script === undefined ? null : await readFlow(options.script);
  const site = await serve(target);
  try {
    await profile({ ...options, url: site.url, flow, settings, artefacts });
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const { message } = /** @type {Error} */ (error);
    console.error(`error: ${message.replace(/^polyprof: /, '')}`);
    if ([message, ...notes].some(isAboutCertificate))
      console.error('--ignore-https-errors opens the page all the same.');
    process.exitCode = 1;
  } finally {
    await site.close();
  }
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
    return completeProfileOptions({
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
  } catch (error) {
    throw new UsageError(/** @type {Error} */ (error).message.replace(/^polyprof: /, ''));
  }
}

/**
 * @typedef {(page: any, context: {url: string, browser: string}) => unknown} Flow
 * @typedef {ReturnType<typeof profileOptions>} Settings
 * @param {RunOptions & Settings & {url: string, flow: Flow | null}} options
 */
async function profile({ url, flow, settings, artefacts, headed = false, ...options }) {
  const { browser } = options;
  const opened =
    browser === 'webkit'
      ? await openWebkit(url, settings, headed)
      : await openPage({ ...options, headed, browser });
  const { page, version } = opened;
  try {
    const recording = opened.recording ?? (await Recording.of(page, settings));
    await recording.begin();
    const start = opened.url ?? url;
    await page.goto(start).catch((/** @type {Error} */ { message }) => {
      // What follows are the driver's own calls.
      throw new Error(`${url} cannot be opened: ${message.split('\n', 1)[0]}`);
    });
    const failure = await act({ ...options, headed, page, flow, start }).then(
      () => null,
      (/** @type {unknown} */ error) => ({ error }),
    );
    const { trace, details } = await recording.end().catch((error) => {
      throw failure?.error ?? error;
    });
    const summary = recording.takeSummary();
    await recording.release();
    const result = { name: url, trace, details: { ...details, url, engine: version } };
    const files = await writeArtefacts(result, artefacts);
    const { width, color } = terminal(process.stdout);
    console.log(
      `${version}, ${details.mode} sampling each ${details.sampleInterval} ms\n${summary ? `${summary}\n` : ''}`,
    );
    process.stdout.write(
      formatTable(callTree(trace), { width, color, rows: options.top, losses: details.losses }),
    );
    console.log(`\nwritten: ${files.join(', ')}`);
    if (failure) throw failure.error;
  } finally {
    await opened.close();
  }
}

/** @param {{page: any, flow: Flow | null, start: string, browser: string, headed: boolean, seconds: number}} options */
async function act({ page, flow, start, browser, headed, seconds }) {
  if (flow) await flow(page, { url: start, browser });
  else if (headed) await enterPressed(page);
  else await new Promise((done) => setTimeout(done, seconds * 1000));
}

/** Or the page closed, where its driver tells. @param {any} page */
async function enterPressed(page) {
  console.error('recording; press Enter here to end');
  const lines = createInterface({ input: process.stdin });
  const closed = new Promise((resolve) => page.once?.('close', resolve));
  await Promise.race([once(lines, 'line'), once(lines, 'close'), closed]);
  lines.close();
}

/** @param {string} file @returns {Promise<Flow>} */
async function readFlow(file) {
  if (!existsSync(file)) throw new UsageError(`--script: there is no file ${file}`);
  const { default: flow } = await import(pathToFileURL(resolve(file)).href).catch((error) => {
    throw new UsageError(`--script: ${file} cannot be loaded: ${placeIn(error, file)}${error}`);
  });
  if (typeof flow !== 'function') {
    throw new UsageError(`--script: ${file} must export a function: export default async (page) => {…}`);
  }
  return flow;
}

/** @param {unknown} error while a script was loaded @param {string} file @returns {string} its line; empty: nobody knows */
function placeIn(error, file) {
  // What Node shows of a syntax error, it shows on the terminal alone.
  const told =
    error instanceof SyntaxError
      ? spawnSync(process.execPath, ['--check', file], { encoding: 'utf8' }).stderr
      : /** @type {Error} */ (error)?.stack;
  const [, after = ''] = String(told).split(basename(file));
  const [, line] = /^:(\d+)/.exec(after) ?? [];
  return line ? `line ${line}: ` : '';
}

const SCRIPT = /\.[cm]?[jt]sx?$/i;

/** @param {string} target of the command line @returns {Promise<{url: string, close: () => Promise<void>}>} */
async function serve(target) {
  if (/^https?:\/\//i.test(target)) {
    if (!URL.canParse(target)) throw new UsageError(`${target} is no address`);
    return { url: new URL(target).href, close: async () => {} };
  }
  const stat = statSync(target, { throwIfNoEntry: false });
  if (!stat) {
    throw new UsageError(`there is no file ${target}; an address begins with http:// or https://`);
  }
  // A browser would show its text, in which nothing runs.
  if (stat.isFile() && SCRIPT.test(target)) {
    throw new UsageError(`${target} is a script, not a page: polyprof run <url|html> --script ${target}`);
  }
  const file = stat.isDirectory() ? join(target, 'index.html') : target;
  if (!existsSync(file)) throw new UsageError(`the folder ${target} has no index.html`);
  const { origin, close } = await serveFolder(resolve(dirname(file)));
  return { url: `${origin}/${encodeURIComponent(basename(file))}`, close };
}
