/**
 * Puts other values where an object has, or lacks, some, until the end of what `after` belongs to: other files' tests run in this process, too.
 * @param {object} object
 * @param {Record<string, unknown>} values
 * @param {(putBack: () => void) => void} after of Node's test runner
 */
export function replace(object, values, after) {
  for (const [name, value] of Object.entries(values)) {
    const before = Object.getOwnPropertyDescriptor(object, name);
    Object.defineProperty(object, name, { value, configurable: true, writable: true });
    after(() => {
      if (before) Object.defineProperty(object, name, before);
      else Reflect.deleteProperty(object, name);
    });
  }
}
