import { cpus, totalmem } from 'node:os';

/** What figures depend on beside the code. */
export function host() {
  const [cpu] = cpus();
  return {
    cpu: cpu?.model ?? 'unknown',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    date: new Date().toISOString().slice(0, 10),
  };
}

/** @returns {string} the same, for the line above a table */
export function hostLine() {
  const { cores, cpu, memoryGiB, node, date } = host();
  return `${cores} × ${cpu}, ${memoryGiB} GiB, Node ${node}, ${date}`;
}
