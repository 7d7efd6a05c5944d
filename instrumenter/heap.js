import os from 'node:os';

/** A syntax tree takes up to a hundred times its text: more text than this may not fit into the heap that Node has by itself. In UTF-16 code units. */
export const NEEDS_HEAP = 20_000_000;

/** What a thread or process of ours may take, in MB: the machine should not begin to swap. */
export const HEAP_MB = Math.floor((os.totalmem() / 2 ** 20) * 0.75);

/** @param {string} code @param {string} advice @returns {string} that it did not fit even there */
export function tooBig(code, advice) {
  return `${(code.length / 1e6).toFixed(0)} MB are more than this machine has memory for: ${advice}`;
}
