/** A server that does not answer must not hold a run up. */
const TIMEOUT_MS = 10_000;

/** @param {string} address @returns {Promise<Response>} rejects if nobody answers */
export function ask(address) {
  return fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS) });
}

/** @param {string} address @returns {Promise<Uint8Array>} rejects with an `Error` that says why not */
export async function download(address) {
  const response = await ask(address);
  if (!response.ok) throw new Error(`${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}
