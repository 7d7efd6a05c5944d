import { isIP } from 'node:net';

/** @import { Headers } from '../headers.js' */

/**
 * Firefox takes no cookies from answers that it was given, so they are set one by one.
 * @param {any} page of Puppeteer @param {string} url @param {Headers} headers of the server's answer
 */
export async function setCookies(page, url, headers) {
  const cookies = headers
    .filter(([name]) => /^set-cookie$/i.test(name))
    .map(([, text]) => cookieOf(text, url));
  if (cookies.length === 0) return;
  // What is set by the page belongs to what it shows yet: before its first document, to nothing that asks for it later. Before
  // Puppeteer 23.10 there is no other way.
  const context = page.browserContext();
  await (context.setCookie ? context : page).setCookie(...cookies);
}

/** @param {string} text https://httpwg.org/specs/rfc6265.html#sane-set-cookie @param {string} url */
function cookieOf(text, url) {
  const [pair, ...attributes] = text.split(';').map((each) => each.trim());
  const [name, value] = splitAt(pair, '=');
  const given = new Map(
    attributes.map((each) => splitAt(each, '=')).map(([key, of]) => [key.toLowerCase(), of]),
  );
  const { hostname, pathname } = new URL(url);
  const maxAge = Number(given.get('max-age') || NaN);
  const expires = Number.isNaN(maxAge)
    ? Date.parse(given.get('expires') ?? '') / 1000
    : Date.now() / 1000 + maxAge;
  const sameSite = /^(strict|lax|none)$/i.exec(given.get('samesite') ?? '')?.[0].toLowerCase();
  return {
    name,
    value,
    domain: domainOf(given.get('domain')?.replace(/^\./, ''), hostname),
    path: given.get('path') || pathname.replace(/[^/]*$/, '').replace(/(.)\/$/, '$1'),
    httpOnly: given.has('httponly'),
    secure: given.has('secure'),
    ...(sameSite && { sameSite: sameSite[0].toUpperCase() + sameSite.slice(1) }),
    ...(!Number.isNaN(expires) && { expires }),
  };
}

/**
 * With a dot in front it is for all hosts below it, too.
 * @param {string | undefined} given @param {string} hostname that gave it
 */
function domainOf(given, hostname) {
  // There is nothing below a number, nor below a name without a dot.
  const isHost = !given || isIP(given) || !given.includes('.');
  return isHost ? hostname : `.${given}`;
}

/** @param {string} text @param {string} separator @returns {[string, string]} */
function splitAt(text, separator) {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}
