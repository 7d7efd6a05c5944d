/** A page may have frozen what we want to extend: then it keeps what it has. @param {object} target @param {string} name @param {unknown} value @param {boolean} [enumerable] */
export function define(target, name, value, enumerable) {
  Reflect.defineProperty(target, name, { value, enumerable, writable: true, configurable: true });
}
