import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Asks until the answer is yes. Others have their turn between: a page that refuses at once would keep from this process that it is another one now.
 * @param {() => boolean | Promise<boolean>} holds
 */
export async function until(holds) {
  while (!(await holds())) await nextTurn();
}
