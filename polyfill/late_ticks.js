/** Stack id of a thread that runs nothing. */
const IDLE = 0;

/**
 * Whom do ticks belong to that the worker slept through? What a look saw ran at a tick, by chance, so in the mean it is right. What ran next
 * is not: whenever a short function leaves, that is its caller. Unless the page came back to that from wherever it has been, or has been
 * somewhere at all, between two looks at an idle one.
 * @param {number} seen stack at the look before @param {number} next stack after it @param {number} now stack
 * @returns {boolean} what ran next stands for what was before now
 */
export function isNextBefore(seen, next, now) {
  return next === now || (seen | now) === IDLE;
}

/**
 * How many of the ticks that the worker slept through belong to what ran before them? Half; but it is a busy page that keeps the worker
 * waiting, for a processor, so between idle and busy they are all the busy one's.
 * @param {number} late @param {number} previous stack before @param {number} stack now
 */
export function ofPrevious(late, previous, stack) {
  if ((previous === IDLE) === (stack === IDLE)) return late >> 1;
  return stack === IDLE ? late : 0;
}
