import { pageProfiles } from '../artefacts.js';
import { Recording } from '../recording.js';
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
    return { tabs: tabs.map((tab) => profilesOf(tab, url, version)), summary, failure };
  } finally {
    await opened.close();
  }
}

/** @param {import('../recording.js').RecordedPage} recorded @param {string} url @param {string} [engine] that was opened @returns {PageProfiles} */
function profilesOf(recorded, url, engine) {
  const profiles = pageProfiles(recorded, url);
  for (const { details } of profiles) details.engine = engine ?? browserName(String(details.userAgent));
  profiles[0].details.url = url;
  return profiles;
}
