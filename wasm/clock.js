/** The realm's clock as it is when we load: page code may put another in its place, or patch it. */

/** The realm's `Performance`. */
export const clock = globalThis.performance;

/** ms since the time origin. @type {() => number} */
export const timeNow = clock.now.bind(clock);

/**
 * The median of three looks: WebKit reckons it anew each time, from two clocks, and a busy machine may stop the thread between these.
 * @returns {number} ms since the epoch, by the system's clock as it is now: in WebKit it moves when that clock is set
 */
export const timeOrigin = () => [clock.timeOrigin, clock.timeOrigin, clock.timeOrigin].sort()[1];
