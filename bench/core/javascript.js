/** As bench/core/loops.cpp, in plain JavaScript. */

const [STACKS, DIFFERENT, FUNCTIONS] = [1000, 50, 400];

/** @param {number} depth @param {number} hitPercent @returns {() => number} a round */
export function internInMap(depth, hitPercent) {
  let state = 1;
  const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) >>> 8;
  const randomStack = () => Array.from({ length: depth }, () => random() % FUNCTIONS);
  const known = Array.from({ length: DIFFERENT }, randomStack);
  const stacks = Array.from({ length: STACKS }, () =>
    random() % 100 < hitPercent ? known[random() % DIFFERENT] : randomStack(),
  );
  return () => {
    /** @type {Map<number, number>} */
    const trie = new Map();
    let sum = 0;
    for (const frames of stacks) {
      let stack = 0;
      for (const frame of frames) {
        const key = stack * FUNCTIONS + frame;
        let child = trie.get(key);
        if (child === undefined) trie.set(key, (child = trie.size + 1));
        stack = child;
      }
      sum += stack;
    }
    return sum;
  };
}
