/** The realm's clock as it is when we load: page code may put another in its place, or patch it. */

/** The realm's `Performance`. */
export const clock = globalThis.performance;

/** ms since the time origin. @type {() => number} */
export const timeNow = clock.now.bind(clock);

/** ms since the epoch. */
export const { timeOrigin } = clock;
