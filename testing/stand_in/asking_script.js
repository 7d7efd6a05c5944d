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
  const tabOf = () => {
    try {
      return (sessionStorage[tabName] ??= String(Math.random()));
    } catch {
      // A page that may not use storage counts as a tab of its own.
      return String(Math.random());
    }
  };
  const post = (/** @type {string} */ what, /** @type {string} */ body) =>
    fetch(`${folder}${what}-${id}`, { method: 'POST', body });
  let times = 0;
  const ask = async () => {
    const time = ++times;
    const query = new URLSearchParams({ tab: tabOf(), url: location.href, mode: mode() });
    while (time === times) {
      // Firefox waits for what is asked for before the page has loaded: until then the answer comes at once.
      const isLoading = document.readyState !== 'complete';
      const answer = await fetch(`${folder}asks-${id}?${query}${isLoading ? '&loading' : ''}`);
      const what = await answer.text();
      if (what === 'all') return void (await post('ended', await all()));
      if (what === 'so far') await post('told', await soFar());
      else await new Promise((resolve) => setTimeout(resolve, 200));
    }
  };
  // Who ended the recording is gone when nobody answers any more.
  return () => void ask().catch(() => {});
}
