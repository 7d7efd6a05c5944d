/**
 * @param {string} address path of a file, or a part of one
 * @returns {string} what the file is called; as it is if it is malformed, as no browser takes it for an error either
 */
export function decodedAddress(address) {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}
