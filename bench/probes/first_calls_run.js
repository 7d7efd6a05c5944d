import { readFileSync } from 'node:fs';
import { Script } from 'node:vm';

// `node first_calls_run.js <script> <rounds>...`: for first_calls.js, in a process of its own. Prints the ms of each stage, for one call of each function.

const [, , file, ...stages] = process.argv;
const code = readFileSync(file, 'utf8');
const begin = performance.now();
const script = new Script(code, { filename: file });
const times = [performance.now() - begin];
script.runInThisContext();
const { __functions: functions } = /** @type {any} */ (globalThis);
for (const rounds of stages.map(Number)) {
  const start = performance.now();
  for (let round = 0; round < rounds; round++) for (const each of functions) each(round, round + 3);
  times.push((performance.now() - start) / rounds);
}
console.log(JSON.stringify(times));
