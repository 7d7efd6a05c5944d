/** @import { ProfilerTrace } from '../../report/reading/check_trace.js' */

/**
 * A trace in few words: functions `name` or `name@file:line:column`, and what each sample's stack is.
 * @param {string[]} samples each `outermost;…;innermost`, or empty: idle
 * @param {{intervalMs?: number, startMs?: number}} [timing]
 * @returns {ProfilerTrace} as our core makes them: each frame and each stack once, parents before children
 */
export function traceOf(samples, { intervalMs = 10, startMs = 100 } = {}) {
  /** @type {ProfilerTrace} */
  const trace = { resources: [], frames: [], stacks: [], samples: [] };
  /** @type {Map<string, number>} */
  const ids = new Map();
  const intern = (/** @type {string} */ key, /** @type {() => number} */ add) => {
    const id = ids.get(key) ?? add() - 1;
    ids.set(key, id);
    return id;
  };
  samples.forEach((path, i) => {
    /** @type {number | undefined} */
    let stackId;
    for (const text of path ? path.split(';') : []) {
      const frameId = intern(`frame ${text}`, () => trace.frames.push(frameOf(text, trace, intern)));
      const parentId = stackId;
      stackId = intern(`stack ${frameId} ${parentId}`, () =>
        trace.stacks.push(parentId === undefined ? { frameId } : { frameId, parentId }),
      );
    }
    const timestamp = startMs + i * intervalMs;
    trace.samples.push(stackId === undefined ? { timestamp } : { timestamp, stackId });
  });
  return trace;
}

/**
 * @param {string} text
 * @param {ProfilerTrace} trace
 * @param {(key: string, add: () => number) => number} intern
 */
function frameOf(text, { resources }, intern) {
  const [, name, file, line, column] = /** @type {RegExpExecArray} */ (
    /^(.*?)(?:@(.+?):(\d+):(\d+))?$/.exec(text)
  );
  if (file === undefined) return { name };
  const resourceId = intern(`resource ${file}`, () => resources.push(file));
  return { name, resourceId, line: Number(line), column: Number(column) };
}

/** @param {number} depth @returns {ProfilerTrace} of a function that calls itself, with a sample in each call */
export function deepTrace(depth) {
  const ids = Array.from({ length: depth }, (_, id) => id);
  return {
    resources: [],
    frames: [{ name: 'f' }],
    stacks: ids.map((id) => (id === 0 ? { frameId: 0 } : { frameId: 0, parentId: id - 1 })),
    samples: ids.map((id) => ({ timestamp: 10 * id, stackId: id })),
  };
}
