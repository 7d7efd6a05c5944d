/**
 * Reading of traces in tests.
 *
 * @typedef {{name: string, resourceId?: number, line?: number, column?: number}} Frame
 * @typedef {{resources: string[], frames: Frame[], stacks: {frameId: number, parentId?: number}[],
 *   samples: {timestamp: number, stackId?: number}[]}} Trace
 */

/** Name under which samples without a stack are counted. */
export const IDLE = '(idle)';

/** @param {Trace} trace @param {number | undefined} stackId @returns {Frame[]} leaf first */
export function framesOf(trace, stackId) {
  const frames = [];
  for (let id = stackId; id !== undefined; id = trace.stacks[id].parentId) {
    frames.push(trace.frames[trace.stacks[id].frameId]);
  }
  return frames;
}

/** @param {Trace} trace @returns {Record<string, number>} share of all samples by the leaf's name, 0 to 1 */
export function selfShares(trace) {
  /** @type {Record<string, number>} */
  const shares = {};
  for (const { stackId } of trace.samples) {
    const name = framesOf(trace, stackId)[0]?.name ?? IDLE;
    shares[name] = (shares[name] ?? 0) + 1 / trace.samples.length;
  }
  return shares;
}

/** @param {Trace} trace @returns {string} folded stacks, for the message of a failing test */
export function folded(trace) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { stackId } of trace.samples) {
    const path = framesOf(trace, stackId).map((frame) => frame.name || '(anonymous)');
    const line = path.reverse().join(';') || IDLE;
    counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .map(([line, count]) => `${line.length > 160 ? `…${line.slice(-160)}` : line} ${count}`)
    .join('\n');
}
