/**
 * Starting: a bundle of real libraries, a megabyte minified, is loaded again and again; each time the engine parses, compiles and runs it anew,
 * since each time it has another address.
 */

/** Loads at scale 1. */
const LOADS = 24;

/** @param {unknown} _input @param {number} scale share of the loads @returns {Promise<string>} how many libraries each had */
export async function run(_input, scale) {
  const realm = /** @type {any} */ (globalThis);
  let exports = 0;
  for (let load = 0; load < Math.ceil(LOADS * scale); load++) {
    const script = document.createElement('script');
    script.src = `library.js?${load}`;
    const loaded = new Promise((resolve, reject) =>
      Object.assign(script, { onload: resolve, onerror: reject }),
    );
    document.head.append(script);
    await loaded;
    exports += realm.__libraries.length;
    script.remove();
  }
  return String(exports);
}
