/** @import { IncomingMessage } from 'node:http' */
/** @import { Headers } from '../headers.js' */

/** What a proxy changes in headers, so that browser and server each take it for the other one. */

/** What holds for one connection only. */
const HOP_BY_HOP = /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/i;

/** What is asked for is to come whole, and without an encoding. */
const NOT_PASSED_ON = /^(host|accept-encoding|if-.*)$/i;

/** Cookies of these names have to be Secure. */
const PREFIXED = /^(?=__(host|secure)-)/i;
const RENAMED = /(?<=^|;\s*)polyprof(?=__(host|secure)-)/gi;

/** @param {IncomingMessage} message @returns {Headers} as they were sent, in their order */
export function fieldsOf({ rawHeaders: raw }) {
  return raw.flatMap((name, i) =>
    i % 2 === 0 ? [/** @type {[string, string]} */ ([name, raw[i + 1]])] : [],
  );
}

/**
 * @param {Headers} headers of a browser's request to the proxy; one that becomes a WebSocket keeps what says so
 * @param {{target: string, origin: string}} between origins of the server and of the proxy
 * @returns {Headers}
 */
export function fieldsToServer(headers, { target, origin }) {
  const isUpgrade = headers.some(([name]) => /^upgrade$/i.test(name));
  return headers
    .filter(([name]) => (isUpgrade || !HOP_BY_HOP.test(name)) && !NOT_PASSED_ON.test(name))
    .map(([name, value]) => {
      if (/^(origin|referer)$/i.test(name)) return [name, value.replace(origin, target)];
      return [name, /^cookie$/i.test(name) ? value.replace(RENAMED, '') : value];
    });
}

/**
 * @param {Headers} headers of the server's answer
 * @param {{target: string, isWebkit: boolean}} between origin of the server, and the browser
 * @returns {Headers}
 */
export function fieldsToBrowser(headers, { target, isWebkit }) {
  return headers
    .filter(([name]) => !HOP_BY_HOP.test(name) && !/^strict-transport-security$/i.test(name))
    .map(([name, value]) => {
      if (/^location$/i.test(name)) return [name, withoutOrigin(value, target)];
      if (!/^set-cookie$/i.test(name)) return [name, value];
      const cookie = value.replace(/;\s*domain=[^;]*/gi, '');
      return [name, isWebkit ? withoutSecure(cookie) : cookie];
    });
}

/** @param {string} cookie */
function withoutSecure(cookie) {
  return cookie.replace(/;\s*(secure|samesite=none)(?=;|$)/gi, '').replace(PREFIXED, 'polyprof');
}

/** @param {string} address perhaps relative @param {string} origin @returns {string} on the same server, if it is there */
function withoutOrigin(address, origin) {
  const url = URL.canParse(address) ? new URL(address) : null;
  return url?.origin === origin ? url.href.slice(origin.length) : address;
}
