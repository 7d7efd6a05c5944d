/** Of Node's, and some of pages that Node has not. What files add under other names is in nobody's way. Newer versions warn who reads `localStorage`. */
const NAMES = new Set([
  ...Object.getOwnPropertyNames(globalThis).filter((name) => name !== 'localStorage'),
  ...['document', 'location', 'navigator', 'origin', 'self', 'window'],
]);

/**
 * What all files of a process see: what a test file replaces there and does not put back, the files after it get.
 * @returns {{check: () => void}} throws when something is no longer as it is now
 */
export function globalsOfNow() {
  const before = read();
  return {
    check() {
      const changed = [...read()].filter(([name, value]) => !Object.is(before.get(name), value));
      if (changed.length === 0) return;
      const names = changed.map(([name]) => name).join(', ');
      throw new Error(`the file has replaced ${names}: put back what was there`);
    },
  };
}

/** @returns {Map<string, unknown>} by expression */
function read() {
  const realm = /** @type {any} */ (globalThis);
  return new Map([
    ...[...NAMES].map((name) => /** @type {const} */ ([name, realm[name]])),
    ['performance.now', performance.now],
    ['Date.now', Date.now],
  ]);
}
