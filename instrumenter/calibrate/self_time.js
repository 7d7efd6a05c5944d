import { withoutFragment } from './counting_copy.js';

/**
 * What Chromium's CPU profiler says of functions.
 *
 * @typedef {{id: number, callFrame: {functionName: string, url: string, lineNumber: number, columnNumber: number}, children?: number[]}} ProfileNode
 * @typedef {{nodes: ProfileNode[], samples?: number[], timeDeltas?: number[]}} CpuProfile `lineNumber` and `columnNumber`: 0-based
 */

/**
 * @param {CpuProfile} profile
 * @param {Map<string, import('../budget/list_functions.js').ListedFunction[]>} functions by the script's address
 * @param {number} [processorUs] how long the thread had a processor. A profiler tells as busy also what waits for one, and for a page to be there
 * @returns {{busyUs: number, selfUs: Map<import('../budget/list_functions.js').ListedFunction, number>}} what is no listed function, such as a
 *   built-in, counts as its caller's time; `busyUs`: everything but idle
 */
export function selfTime({ nodes, samples = [], timeDeltas = [] }, functions, processorUs = Infinity) {
  const known = new Map();
  for (const [url, list] of functions) {
    for (const fn of list) known.set(`${url}:${fn.line}:${fn.column}`, fn);
  }
  /** @type {Map<number, {fn: any, isIdle: boolean}>} */
  const byId = new Map();
  const nodeOf = new Map(nodes.map((node) => [node.id, node]));
  const visit = (/** @type {ProfileNode} */ root) => {
    const waiting = [{ node: root, around: undefined }];
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const { functionName, url, lineNumber, columnNumber } = next.node.callFrame;
      const place = `${withoutFragment(url)}:${lineNumber + 1}:${columnNumber + 1}`;
      const fn = known.get(place) ?? next.around;
      byId.set(next.node.id, { fn, isIdle: functionName === '(idle)' });
      for (const child of next.node.children ?? []) {
        const node = nodeOf.get(child);
        if (node) waiting.push({ node, around: fn });
      }
    }
  };
  if (nodes.length > 0) visit(nodes[0]);

  let busyUs = 0;
  const selfUs = new Map();
  samples.forEach((id, i) => {
    const { fn, isIdle } = byId.get(id) ?? { fn: undefined, isIdle: false };
    // A sample stands for the time until the next one.
    const us = Math.max(0, timeDeltas[i + 1] ?? 0);
    if (isIdle) return;
    busyUs += us;
    if (fn) selfUs.set(fn, (selfUs.get(fn) ?? 0) + us);
  });
  const ran = Math.min(1, processorUs / busyUs);
  for (const [fn, us] of selfUs) selfUs.set(fn, us * ran);
  return { busyUs: busyUs * ran, selfUs };
}
