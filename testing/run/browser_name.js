/**
 * What user-agent strings call browsers. They are named after each other, so the most special one is first.
 * @type {[name: string, version: RegExp][]}
 */
const BROWSERS = [
  ['Edge', /\bEdg(?:A|iOS)?\/([\d.]+)/],
  ['Opera', /\bOPR\/([\d.]+)/],
  ['Samsung Internet', /\bSamsungBrowser\/([\d.]+)/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/([\d.]+)/],
  ['Chrome', /(?:Chrome|\bCriOS)\/([\d.]+)/],
  ['Safari', /\bVersion\/([\d.]+).* Safari\//],
];

/** @param {string} userAgent @returns {string} name and version; of one that nobody knows, what it says */
export function browserName(userAgent) {
  for (const [name, version] of BROWSERS) {
    const found = version.exec(userAgent);
    if (found) return `${name} ${found[1]}`;
  }
  return userAgent;
}
