import { pageProfiles, writeArtefacts } from './artefacts.js';
import { completeProfileOptions } from './options.js';
import { Recording } from './recording.js';
import { standIn } from './stand_in/stand_in.js';

/**
 * `polyprof/testing`: profiles of pages that a test drives, by Playwright, Puppeteer or anything else. The app is as it is: its scripts get
 * their probes on the way to the browser.
 *
 * @import { AnyPage } from './drivers/driver.js'
 */

/** @typedef {import('../report/reading/check_trace.js').ProfilerTrace} ProfilerTrace */
/** @typedef {import('./options.js').ProfileOptions} ProfileOptions */
/** @typedef {import('./options.js').TestInfo} TestInfo */

/** @type {WeakMap<object, Recording>} */
const prepared = new WeakMap();

/**
 * Profiles what a page does while a function drives it. The page should be opened within the function; one that was opened before needs
 * `prepare` before that.
 * @param {AnyPage} page of Playwright (Chromium, Firefox, WebKit) or Puppeteer (Chromium, Firefox)
 * @param {() => unknown} action
 * @param {ProfileOptions} [options] of a page that was prepared, only those about files count
 * @returns {Promise<ProfilerTrace>} with names, files and lines of the sources, where source maps tell them; all documents that the page
 *   has shown, one after the other. Rejects with what `action` throws, or with an `Error` when nothing could be sampled
 */
export async function profile(page, action, options = {}) {
  const { settings, artefacts } = completeProfileOptions(options);
  const known = prepared.get(page);
  const recording = known ?? (await Recording.of(page, settings));
  try {
    await recording.begin();
    const failure = await runOf(action);
    if (failure) {
      const written = recording.end().then((result) => write(result, artefacts));
      // Whatever else goes wrong, the test's own failure is what it is to tell.
      await written.catch(() => {});
      throw failure.error;
    }
    const result = await recording.end();
    await write(result, artefacts);
    return result.trace;
  } finally {
    if (!known) await recording.release();
  }
}

/** @param {import('./recording.js').RecordedPage} recorded @param {import('./options.js').Artefacts} artefacts */
async function write(recorded, artefacts) {
  const name = artefacts.testInfo?.title ?? recorded.details.url ?? artefacts.name;
  await writeArtefacts(pageProfiles(recorded, name), artefacts);
}

/**
 * Puts probes into what a page loads from now on, without recording yet: for profiles that begin on a page which is open.
 * @param {AnyPage} page
 * @param {ProfileOptions} [options]
 * @returns {Promise<() => Promise<void>>} takes it back
 */
export async function prepare(page, options = {}) {
  const { settings } = completeProfileOptions(options);
  if (prepared.has(page)) throw new Error('polyprof: this page is prepared already');
  const recording = await Recording.of(page, settings);
  prepared.set(page, recording);
  return async () => {
    prepared.delete(page);
    await recording.release();
  };
}

/**
 * For pages that are driven by something else than Playwright or Puppeteer, or by hand: a server on this machine stands for theirs, and profiles
 * whatever browser asks it.
 * @param {string} url of the page, or of its server
 * @param {ProfileOptions} [options]
 * @returns {Promise<{url: string, end: () => Promise<ProfilerTrace[]>}>} `url`: to open in place of the other one. `end` ends it, and resolves with a
 *   trace of each tab that has opened it, as `profile` has them; rejects with an `Error` when nothing could be sampled
 */
export async function serveProfiled(url, options = {}) {
  const { settings, artefacts } = completeProfileOptions(options);
  if (!/^https?:/i.test(url) || !URL.canParse(url)) {
    throw new TypeError(`polyprof: serveProfiled() needs an address, http://… or https://…, not '${url}'`);
  }
  const { url: own, recording, close } = await standIn(url, settings);
  await recording.begin();
  /** @type {Promise<ProfilerTrace[]> | undefined} */
  let ended;
  return { url: own, end: () => (ended ??= end()) };

  async function end() {
    try {
      const tabs = await recording.endInTabs();
      for (const tab of tabs) await write(tab, artefacts);
      return tabs.map(({ trace }) => trace);
    } finally {
      await close();
    }
  }
}

/** @param {() => unknown} action @returns {Promise<{error: unknown} | null>} what it threw */
async function runOf(action) {
  try {
    await action();
    return null;
  } catch (error) {
    return { error };
  }
}
