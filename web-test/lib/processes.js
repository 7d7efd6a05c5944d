import { readFileSync } from 'node:fs';

/** @param {number} pid @returns {number[]} what it has started and what is still there */
export function children(pid) {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
}

/** @param {number} browser a Chromium @returns {number[]} the processes of its pages */
export function renderers(browser) {
  const inner = children(browser);
  const isRenderer = (/** @type {number} */ pid) =>
    readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--type=renderer');
  return [...inner.filter(isRenderer), ...inner.flatMap(renderers)];
}
