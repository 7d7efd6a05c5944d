import { timeNow } from '../../wasm/clock.js';

/** Each look is a task of ours, so that sleep of the machine, in which clocks may run on, does not count as waiting. */
const LOOK_MS = 10;
const MIN_LOOKS = 10;

/** @param {() => boolean} condition @param {number} ms @returns {Promise<boolean>} false: not in that time */
export async function comesTrue(condition, ms) {
  const deadline = timeNow() + ms;
  for (let looks = 0; !condition(); looks++) {
    if (looks >= MIN_LOOKS && timeNow() > deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  return true;
}
