import { IDLE_STACK } from '../../wasm/boundary.js';

/**
 * The worker slept through some ticks between two looks. Do the earlier ones belong to what ran right after the first look, rather than to what that look saw?
 *
 * As a rule no. What a look saw was running at a tick, which is a random moment, so charging it is right on average; what runs right after it is not a random
 * choice: after a short function it is always its caller. The exceptions: what ran next is also what the second look sees; or both looks
 * saw an idle page, and what ran next is the only thing known to have run.
 * @param {number} seen stack at the look before @param {number} next stack after it @param {number} now stack
 * @returns {boolean} the earlier ticks belong to what ran next
 */
export function isNextBefore(seen, next, now) {
  return next === now || (seen | now) === IDLE_STACK;
}

/**
 * How many of the ticks that the worker slept through belong to what ran before them? Half. But if the page was idle before or after them, all go to the busy
 * side, because it is a busy page that keeps the worker waiting for a processor.
 * @param {number} late @param {number} previous stack before @param {number} stack now
 */
export function ofPrevious(late, previous, stack) {
  if ((previous === IDLE_STACK) === (stack === IDLE_STACK)) return late >> 1;
  return stack === IDLE_STACK ? late : 0;
}
