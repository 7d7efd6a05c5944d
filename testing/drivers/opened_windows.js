/** @import { InstrumentedSite } from '../site.js' */
/** @import { DevtoolsSession } from './devtools.js' */

/**
 * An isolated page has a group of windows for itself: to what it opens, it looks closed. Only Chromium says whether a page wants to talk to a window.
 * @param {DevtoolsSession} session with an isolated page, whose Page domain is enabled @param {InstrumentedSite} site
 */
export function tellOfWindows(session, site) {
  session.on('Page.windowOpen', ({ url, windowFeatures }) => {
    if (site.isOver || windowFeatures.includes('noopener')) return;
    site.note(
      `the page opened ${url} and cannot talk to it, since it is isolated here: isolate: false (--no-isolate) leaves that out`,
    );
  });
}
