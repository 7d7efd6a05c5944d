/**
 * What a worker answers to two messages that it is sent at once. Runs in a page: it sees nothing of this file.
 * @param {Worker | MessagePort} port to it
 * @returns {Promise<any[]>}
 */
export function answersAtOnce(port) {
  return new Promise((resolve) => {
    const all = /** @type {any[]} */ ([]);
    port.onmessage = (/** @type {MessageEvent} */ { data }) => all.push(data) === 2 && resolve(all);
    for (const what of ['first', 'second']) port.postMessage(what);
  });
}
