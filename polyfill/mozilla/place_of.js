/** In place of polyfill/capture/place_of.js, in the file of this API, which tells where calls are. */
export const HAS_STARTS = false;

/** @param {import('../capture/stack_text.js').CallSite} site @returns {string} line and column */
export const placeOf = (site) => `${site.getLineNumber()}:${site.getColumnNumber()}`;
