/**
 * Starting: a bundle of real libraries, a megabyte minified, is loaded again and again; each time the engine parses, compiles and runs it anew,
 * since each time it has another address.
 */

/** Loads at scale 1. */
const LOADS = 24;

/** So far. */
let loads = 0;

/** @param {unknown} _input @param {number} scale share of the loads @returns {Promise<string>} how many libraries each had */
export async function run(_input, scale) {
  const realm = /** @type {any} */ (globalThis);
  // Where there are no pages, whoever runs us says how to.
  const load = realm.__loadScript ?? loadInPage;
  let exports = 0;
  for (let i = 0; i < Math.ceil(LOADS * scale); i++) {
    await load(`library.js?${loads++}`);
    exports += realm.__libraries.length;
  }
  return String(exports);
}

/** @param {string} src @returns {Promise<void>} when it has run */
async function loadInPage(src) {
  const script = document.createElement('script');
  script.src = src;
  const loaded = new Promise((resolve, reject) =>
    Object.assign(script, { onload: resolve, onerror: reject }),
  );
  document.head.append(script);
  await loaded;
  script.remove();
}
