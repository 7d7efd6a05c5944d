// The hook of a page that samples all the time: each check of a flag probe finds the flag raised.
let checks = 0;
const count = () => void checks++;
globalThis.__polyprof__ = { v: 1, f: new Int8Array(64).fill(1), s: [], e: count, l: count, r: count };
process.on('exit', () => console.error(`polyprof checks: ${checks}`));
