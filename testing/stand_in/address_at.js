/**
 * @param {string} url of a page
 * @param {string} origin of what stands for its server
 * @returns {string} the page's address there; browsers say the name and the password in it when the server asks for them
 */
export function addressAt(url, origin) {
  const address = new URL(url);
  const { protocol, host } = new URL(origin);
  return Object.assign(address, { protocol, host }).href;
}
