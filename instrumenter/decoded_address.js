/**
 * @param {string} address
 * @param {(address: string) => string} [decode] `decodeURI` or `decodeURIComponent`
 * @returns {string} what it means; as it is if it is malformed, as no browser takes it for an error either
 */
export function decodedAddress(address, decode = decodeURI) {
  try {
    return decode(address);
  } catch {
    return address;
  }
}
