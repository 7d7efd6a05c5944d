/** @import { IncomingMessage } from 'node:http' */

/**
 * @param {IncomingMessage} request
 * @param {boolean} trustProxy a proxy in front of us says where a request came from
 * @returns {string} the address that sent it; empty: its connection is gone
 */
export function senderAddress(request, trustProxy) {
  const forwarded = trustProxy ? request.headers['x-forwarded-for'] : undefined;
  const last = [forwarded ?? []].flat().join(',').split(',').at(-1)?.trim();
  return last ? withoutPort(last) : (request.socket.remoteAddress ?? '');
}

/** Some proxies add the port, which each connection has another of. @param {string} node as of https://www.rfc-editor.org/rfc/rfc7239#section-6 */
function withoutPort(node) {
  return node.replace(/^\[(.*)\](:\d+)?$|^([^:]+):\d+$/, '$1$3');
}
