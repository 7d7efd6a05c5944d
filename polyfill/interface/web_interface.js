/** As they were before any page could replace them. */
const { Event } = globalThis;
const { dispatchEvent } = EventTarget.prototype;

/** @param {EventTarget} profiler */
export function announceFull(profiler) {
  Reflect.apply(dispatchEvent, profiler, [new Event('samplebufferfull')]);
}

/**
 * Gives a class what WebIDL says of an interface and classes lack: enumerable members, and its name. Its static `sessionOf`, which is for the
 * rest of the polyfill, is taken away from it.
 * @param {any} Class
 * @param {string} name
 * @returns {(profiler: any) => any} that
 */
export function asWebInterface(Class, name) {
  const { prototype, sessionOf } = Class;
  delete Class.sessionOf;
  // The build shortens it.
  Object.defineProperty(Class, 'name', { value: name });
  for (const member of Object.getOwnPropertyNames(prototype)) {
    if (member !== 'constructor') Object.defineProperty(prototype, member, { enumerable: true });
  }
  Object.defineProperty(prototype, Symbol.toStringTag, { value: name, configurable: true });
  return sessionOf;
}
