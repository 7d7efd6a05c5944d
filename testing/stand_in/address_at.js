/**
 * @param {string} url of a page
 * @param {string} origin of what stands for its server
 * @returns {string} the page's address there; browsers say the name and the password in it when the server asks for them. Without a path if it was
 *   written without one: tests put theirs behind it
 */
export function addressAt(url, origin) {
  const address = new URL(url);
  const { protocol, host } = new URL(origin);
  const { href } = Object.assign(address, { protocol, host });
  const hasNoPath = href.endsWith(`${host}/`) && !url.endsWith('/');
  return hasNoPath ? href.slice(0, -1) : href;
}
