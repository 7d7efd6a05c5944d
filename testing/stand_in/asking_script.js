/**
 * Runs in a page that we cannot reach from outside: it polls for what it is to send. Its source text is put into the page, so it cannot use anything else in this file.
 * @param {object} page
 * @param {string} page.id of the document
 * @param {string} page.folder address of our files
 * @param {() => string} page.mode of its profiler
 * @param {() => Promise<string>} page.all what it saw, when the recording has ended
 * @param {() => Promise<string>} page.soFar what it saw since it told last; it goes on
 * @returns {() => void} starts to poll; to be called again when the page was left and is shown again
 */
export function tellsWhenAsked({ id, folder, mode, all, soFar }) {
  // As they are before the page has others.
  const { fetch, setTimeout } = globalThis;
  const tabName = '__polyprofTab__';
  // A page that may not use storage counts as a tab of its own.
  let tab = String(Math.random());
  try {
    tab = sessionStorage[tabName] ?? tab;
  } catch {
    // So be it.
  }
  const keepTab = () => {
    try {
      sessionStorage[tabName] = tab;
    } catch {
      // So be it.
    }
  };
  keepTab();
  // The page may have cleared what it stores.
  addEventListener('pagehide', keepTab);
  const post = (/** @type {string} */ what, /** @type {string} */ body) =>
    fetch(`${folder}${what}-${id}`, { method: 'POST', body });
  let times = 0;
  const ask = async () => {
    const time = ++times;
    const timeOrigin = String(performance.timeOrigin);
    const query = new URLSearchParams({ tab, url: location.href, mode: mode(), timeOrigin });
    const isComplete = () => document.readyState === 'complete';
    while (time === times) {
      // Firefox waits for what is asked for before the page has loaded: until then the answer comes at once.
      const wasComplete = isComplete();
      const answer = await fetch(`${folder}asks-${id}?${query}${wasComplete ? '' : '&loading'}`);
      const what = await answer.text();
      if (what === 'all') return void (await post('ended', await all()));
      // A window gets all that the one stores which has opened it.
      if (what.startsWith('tab ')) {
        query.set('tab', (tab = what.slice(4)));
        keepTab();
      } else if (what === 'so far') await post('told', await soFar());
      else if (wasComplete || !isComplete()) {
        await new Promise((resolve) => {
          addEventListener('load', resolve, { once: true });
          setTimeout(resolve, 200);
        });
      }
    }
  };
  // Who ended the recording is gone when nobody answers any more.
  return () => void ask().catch(() => {});
}
