// Async functions that are called, and not suspended: their callers are below them on the stack.

function work(ms) {
  const end = performance.now() + ms;
  let rounds = 0;
  while (performance.now() < end) rounds++;
  return rounds;
}

async function asyncWork(ms) {
  return work(ms);
}

async function asyncCaller(ms) {
  await asyncWork(ms);
}

// eslint-disable-next-line no-unused-vars
function callAsync(rounds) {
  for (let i = 0; i < rounds; i++) {
    const end = performance.now() + 10;
    while (performance.now() < end);
    asyncCaller(10);
  }
}
