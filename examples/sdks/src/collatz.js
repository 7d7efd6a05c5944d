/** Steps to 1 of all numbers that there is time for. @param {number} ms */
export function collatzSteps(ms) {
  const end = performance.now() + ms;
  let steps = 0;
  for (let from = 1; performance.now() < end; from += 1000) steps += stepsOf(from, from + 1000);
  return steps;
}

/* polyprof-include */
function stepsOf(from, to) {
  let steps = 0;
  for (let number = from; number < to; number++) {
    for (let at = number; at > 1; steps++) at = at % 2 === 0 ? at / 2 : 3 * at + 1;
  }
  return steps;
}
