/**
 * What one call of a function with probes costs more than without, ns: enter and leave together, in code that is compiled. On the safe side of
 * what `node bench/micro.js` prints: up to 0.8 in each engine, and 1.6 for flag probes in WebKit while a session runs.
 * `raised`: flag probes while a session runs without a worker; both checks are calls then, and one in 75 looks at the clock. 4 to 13 there.
 * @type {Readonly<Record<string, number>>} by kind of probe
 */
export const NS_PER_CALL = Object.freeze({ flag: 1.5, shadow: 2.0, raised: 10 });
