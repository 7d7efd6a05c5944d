/** @import { Headers } from '../headers.js' */
/** @import { InstrumentedSite } from '../site.js' */
/** @import { DevtoolsSession } from './devtools.js' */

/** https://html.spec.whatwg.org/multipage/speculative-loading.html#the-speculation-rules-header */
const RULES_FIELD = 'speculation-rules';

/**
 * Documents that Chromium fetches before somebody goes to them are requests that no session can answer. So nothing is fetched by speculation
 * rules: those documents load when they are shown.
 * @param {DevtoolsSession} session with a page @param {InstrumentedSite} site
 */
export async function leaveOutSpeculation(session, site) {
  // Without it, the script is for no document.
  await session.send('Page.enable');
  await session.send('Page.addScriptToEvaluateOnNewDocument', { source: `(${leaveOutRules})()` });
  session.on('Preload.prefetchStatusUpdated', ({ prefetchUrl, prefetchStatus }) => {
    if (site.isOver || prefetchStatus !== 'PrefetchResponseUsed') return;
    site.note(`${prefetchUrl} has no probes: it was fetched by speculation rules before the page went there`);
  });
  // Earlier versions do not tell.
  await session.send('Preload.enable').catch(() => {});
}

/** @template {{headers: Headers}} T @param {T} answer @returns {T} that names no rules */
export function withoutRules(answer) {
  return { ...answer, headers: answer.headers.filter(([name]) => name.toLowerCase() !== RULES_FIELD) };
}

/**
 * Runs in the page, and sees nothing of this file. Observers are told of a script of the parser before it is prepared, and of others before
 * anything is fetched; out of the document, its rules are out of it, too.
 */
function leaveOutRules() {
  if (window.top !== window) return;
  const observer = new MutationObserver((records) => {
    for (const { addedNodes } of records) for (const node of addedNodes) leaveOut(node);
  });
  observer.observe(document, { childList: true, subtree: true });

  /** @param {Node} node */
  function leaveOut(node) {
    if (!(node instanceof HTMLElement)) return;
    if (node instanceof HTMLScriptElement && /^\s*speculationrules\s*$/i.test(node.type)) disarm(node);
    if (!node.firstElementChild) return;
    for (const each of node.querySelectorAll('script[type="speculationrules" i]'))
      disarm(/** @type {HTMLScriptElement} */ (each));
  }

  /** @param {HTMLScriptElement} script that is to stay where it is */
  function disarm(script) {
    const place = document.createComment('');
    script.replaceWith(place);
    script.type = 'text/plain';
    place.replaceWith(script);
  }
}
