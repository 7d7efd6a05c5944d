import { pageProfiles } from '../artefacts.js';
import { Recording } from '../recording.js';
import { addressAt } from '../stand_in/address_at.js';
import { standIn } from '../stand_in/stand_in.js';
import { act } from './act.js';
import { browserName } from './browser_name.js';
import { openPage } from './open_page.js';
import { openWebkit } from './open_webkit.js';

/** @import { PageProfiles } from '../artefacts.js' */
/** @import { RunSettings } from '../options.js' */
/** @import { Flow } from './flow.js' */
/** @import { RunOptions } from './run.js' */

/**
 * @typedef {object} RecordedRun
 * @property {PageProfiles[]} tabs of each tab of the browser, the page first
 * @property {string | undefined} summary what got probes
 * @property {{error: unknown} | null} failure of what drove the page
 */

/** A page that somebody else opens. */
const NOBODYS = { goto: async () => {} };

/**
 * One visit of the page, in a browser of its own.
 * @param {RunOptions & {url: string, command: string[], env: NodeJS.ProcessEnv, flow: Flow | null, settings: RunSettings}} options
 * @returns {Promise<RecordedRun>} rejects with an `Error` when nothing was recorded
 */
export async function recordRun({ url, settings, ...options }) {
  const { browser, headed = false } = options;
  const opened =
    browser === 'any'
      ? { ...(await standIn(url, settings)), page: NOBODYS, version: undefined }
      : browser === 'webkit'
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
    const failure = await act({ ...options, headed, page, start }).then(
      () => null,
      (/** @type {unknown} */ error) => ({ error }),
    );
    const tabs = await recording.endInTabs().catch((error) => {
      throw failure?.error ?? error;
    });
    const summary = recording.takeSummary();
    await recording.release();
    return { tabs: tabs.map((tab) => profilesOf(tab, url, opened.url, version)), summary, failure };
  } finally {
    await opened.close();
  }
}

/**
 * Named by addresses of the page's server, which are the same in each run.
 * @param {import('../recording.js').RecordedPage} recorded
 * @param {string} url of the page
 * @param {string} [standIn] address that stands for it
 * @param {string} [engine] that was opened
 * @returns {PageProfiles}
 */
function profilesOf(recorded, url, standIn, engine) {
  // A password is not for those who get the report.
  const page = Object.assign(new URL(url), { username: '', password: '' });
  for (const { details } of recorded.realms) {
    if (standIn && isSameServer(details.url, standIn)) details.url = addressAt(details.url, page.origin);
  }
  const profiles = pageProfiles(recorded, page.href);
  for (const { details } of profiles) details.engine = engine ?? browserName(String(details.userAgent));
  profiles[0].details.url = page.href;
  return profiles;
}

/** By whatever name of this machine. @param {string | undefined} url @param {string} standIn @returns {url is string} */
function isSameServer(url, standIn) {
  return url !== undefined && URL.canParse(url) && new URL(url).port === new URL(standIn).port;
}
