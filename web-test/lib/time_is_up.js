/** The longest that one test in one engine may take, ms. */
export const TIMEOUT_MS = 120_000;

/** And how long its page may take then to say how it is, ms. */
const ANSWER_MS = 5000;

/**
 * @typedef {object} Telling a page of whichever driver
 * @property {(...args: any[]) => Promise<any>} evaluate
 * @property {string[]} [console]
 * @property {() => Promise<unknown>} close
 */

/**
 * A test that waits for ever says what its page is when its time is up, and closes it: at work it would be in the way of all further tests.
 * @param {AbortSignal} signal of its time @param {Telling} page
 * @returns {() => void} the test has ended
 */
export function tellWhenTimeIsUp(signal, page) {
  const tell = async () => {
    console.error(`the time is up: ${await stateOf(page)}`);
    await page.close().catch(() => {});
  };
  signal.addEventListener('abort', tell);
  return () => signal.removeEventListener('abort', tell);
}

/** @param {Telling} page @returns {Promise<string>} what it can still say */
async function stateOf(page) {
  const silence = new Promise((resolve) =>
    setTimeout(resolve, ANSWER_MS, 'the page does not answer').unref(),
  );
  const answer = page.evaluate(
    () => `${location.href} is ${document.readyState} and ${document.visibilityState}`,
  );
  return [await Promise.race([answer, silence]).catch(String), ...(page.console ?? [])].join('\n');
}
