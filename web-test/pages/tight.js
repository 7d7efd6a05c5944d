// Where sampling is hardest: calls that take nanoseconds, and stacks that are deep and change.

function leaf(x) {
  for (let i = 0; i < 8; i++) x = (Math.imul(x, 1664525) + i) | 0;
  return x;
}

function callsLeaf(calls) {
  let x = 1;
  for (let i = 0; i < calls; i++) {
    x = leaf(x);
    for (let j = 0; j < 4; j++) x = (Math.imul(x, 22695477) + j) | 0;
  }
  return x;
}

function bottom(rounds) {
  let x = 1;
  for (let i = 0; i < rounds; i++) x = (Math.imul(x, 1664525) + i) | 0;
  return x;
}

function recursive(depth, rounds) {
  if (depth === 0) return bottom(rounds);
  return recursive(depth - 1, rounds) + 1;
}

function callsThenWorks(rounds, calls, work) {
  let x = 1;
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < calls; i++) x = leaf(x);
    for (let i = 0; i < work; i++) x = (Math.imul(x, 1664525) + i) | 0;
  }
  return x;
}

Object.assign(globalThis, { callsLeaf, callsThenWorks, recursive });
