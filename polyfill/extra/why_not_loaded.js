/** Which address or directive is to blame for a file that a session needs and did not get; what follows the address. */

/** @param {unknown} cause what was thrown, or the status that the server answered */
export function whyNoCore(cause) {
  if (typeof cause === 'number') return `answered ${cause}: put it beside polyprof.js`;
  if (cause instanceof TypeError) {
    return `could not be fetched (${message(cause)}): is it beside polyprof.js, and does the Content-Security-Policy's connect-src allow it?`;
  }
  const isForbidden = cause instanceof WebAssembly.CompileError || cause instanceof EvalError;
  const advice = ": a Content-Security-Policy must have 'wasm-unsafe-eval' in its script-src";
  return `could not be made to run (${message(cause)})${isForbidden ? advice : ''}`;
}

/** @param {URL} url @param {unknown} cause what was thrown, or the worker's error event @returns {Promise<string>} */
export async function whyNoWorker(url, cause) {
  const isEvent = cause instanceof Event;
  if (cause instanceof TypeError) {
    return `is a worker that could not be started (${message(cause)}): a Content-Security-Policy with trusted-types must list polyprof there, and 'allow-duplicates' if the page loads polyprof twice`;
  }
  if (!isEvent && !(cause instanceof DOMException))
    return `is a worker that failed to start: ${message(cause)}`;
  // The error event says nothing of its cause; asking for the script tells a missing file from a forbidden one.
  const answer = await fetch(url).then(
    (response) => (response.ok ? '' : `it answered ${response.status}`),
    (error) => message(error),
  );
  const reason =
    answer ||
    "the Content-Security-Policy must allow it in worker-src, or blob: there, if it is of another origin or lacks the page's Cross-Origin-Embedder-Policy";
  const detail = isEvent ? /** @type {ErrorEvent} */ (cause).message : message(cause);
  return `is a worker that could not be started: ${reason}${detail ? ` (${detail})` : ''}`;
}

/** On one line: JSC's messages end in a line break. @param {unknown} error */
function message(error) {
  return (error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ').trim();
}
