/**
 * @returns {string} of the document's address. One without an address of its own, such as a frame with its text in `srcdoc`, has that of who made it; of a frame in a
 *   sandbox the address still has an origin, though the realm has none
 */
export const ownOrigin = () => (location.origin === 'null' ? globalThis.origin : location.origin);
