/** The realm's clock as it is when we load: page code may put another in its place, or patch it. */

/** The realm's `Performance`. */
export const clock = globalThis.performance;

/** ms since the time origin. @type {() => number} */
export const timeNow = clock.now.bind(clock);

/** @returns {number} ms since the epoch, by the system's clock as it is now: in WebKit it moves when that clock is set */
export const timeOrigin = () => clock.timeOrigin;
