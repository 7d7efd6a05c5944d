/** What `placeOf` gives is where functions start. */
export const HAS_STARTS = true;

/**
 * Where a frame's function starts. V8 knows that of each function; to say where in it a call is, it reads the function again as a whole, once for each function.
 * @param {import('./stack_text.js').CallSite} site @returns {string} line and column
 */
export const placeOf = (site) => `${site.getEnclosingLineNumber()}:${site.getEnclosingColumnNumber()}`;
