/**
 * What one call of a function with probes costs more than without, ns: enter and leave together.
 * `flag`, `shadow`: in whole programs and the engine where it is most, Chromium, as `npm run bench -- --turns --variants sweep,budget` tells it. Loops
 * of compiled code pay less, up to 1.6 (`node bench/micro.js`), and so do the other engines.
 * `raised`: flag probes while a session runs without a worker; both checks are calls then, and one in 75 looks at the clock. 4 to 13 in compiled
 * loops; whole programs pay more, but only while they are sampled, and there what can be seen counts for more.
 * @type {Readonly<Record<string, number>>} by kind of probe
 */
export const NS_PER_CALL = Object.freeze({ flag: 5, shadow: 5, raised: 10 });
