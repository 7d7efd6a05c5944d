/**
 * Gives a class what WebIDL says of an interface and classes lack: enumerable members, and its name. Its getter `_session`, which is for the
 * rest of the polyfill, is taken away from it.
 * @param {any} Class
 * @param {string} name
 * @returns {(profiler: any) => any} the getter's value; undefined for what is no instance
 */
export function asWebInterface(Class, name) {
  const { prototype } = Class;
  // The build shortens it.
  Object.defineProperty(Class, 'name', { value: name });
  const { get } = /** @type {any} */ (Object.getOwnPropertyDescriptor(prototype, '_session'));
  delete prototype._session;
  for (const member of Object.getOwnPropertyNames(prototype)) {
    if (member !== 'constructor') Object.defineProperty(prototype, member, { enumerable: true });
  }
  Object.defineProperty(prototype, Symbol.toStringTag, { value: name, configurable: true });
  return (profiler) => {
    try {
      return get.call(profiler);
    } catch {
      return undefined;
    }
  };
}
