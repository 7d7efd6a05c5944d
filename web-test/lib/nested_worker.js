/**
 * Workers that start another one. Firefox 153 now and then never returns from `new Worker()` in a worker, also with nothing of ours in it: then, and only then, another
 * one is started (`bench/engines/nested_workers.js` counts them).
 */

/** @param {string} inner @returns {string} a worker's script: it passes on what it is told, and what the inner one says */
export const outerScript = (inner) => `
  postMessage('making');
  const inner = new Worker('${inner}');
  postMessage('made');
  inner.onmessage = ({ data }) => postMessage(data);
  inner.onerror = () => postMessage('error');
  onmessage = ({ data }) => inner.postMessage(data);
`;

/**
 * Runs in the page.
 * @param {string} url of a worker's `outerScript`
 * @returns {Promise<{outer: Worker, says: unknown}>} once the inner one said something
 */
export async function startOuter(url) {
  for (;;) {
    const outer = new Worker(url);
    const says = await new Promise((resolve) => {
      /** @type {ReturnType<typeof setTimeout>} */
      let timer;
      outer.onerror = () => resolve('error');
      outer.onmessage = ({ data }) => {
        if (data === 'making') timer = setTimeout(resolve, 5000, 'making');
        else if (data === 'made') clearTimeout(timer);
        else resolve(data);
      };
    });
    if (says !== 'making') return { outer, says };
    outer.terminate();
  }
}
