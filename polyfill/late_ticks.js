/** Stack id of a thread that runs nothing. */
const IDLE = 0;

/**
 * How many of the ticks that the worker slept through belong to what ran before them? Half; but it is a busy page that keeps the worker
 * waiting, for a processor, so between idle and busy they are all the busy one's.
 * @param {number} late @param {number} previous stack before @param {number} stack now
 */
export function ofPrevious(late, previous, stack) {
  if ((previous === IDLE) === (stack === IDLE)) return late >> 1;
  return stack === IDLE ? late : 0;
}
