/** @import { ProfilerTrace, TraceFrame } from '../reading/check_trace.js' */

/**
 * @typedef {object} Original where a function came from, before it was bundled and minified
 * @property {string | null} name null: not known, the name in the trace is kept
 * @property {string} file
 * @property {number} line 1-based
 * @property {number} column 1-based
 */

/**
 * @callback Symbols what is known about one script
 * @param {{name: string, line: number, column: number}} frame of the file that the browser loaded
 * @returns {Original | null} null: nothing known
 */

/**
 * A trace in terms of the original sources. The result is a ProfilerTrace again, so everything that reads traces reads it too.
 * @param {ProfilerTrace} trace that was checked
 * @param {(resource: string) => Symbols | null} symbolsOf called once per resource
 * @returns {ProfilerTrace} a new one with the same stack and sample ids; frames about which nothing is known are as they were
 */
export function symbolicate(trace, symbolsOf) {
  /** @type {Map<string, number>} */
  const resourceIds = new Map();
  const resourceId = (/** @type {string} */ resource) => {
    const id = resourceIds.get(resource) ?? resourceIds.size;
    resourceIds.set(resource, id);
    return id;
  };
  const symbols = trace.resources.map((resource) => symbolsOf(resource));
  const frames = trace.frames.map((frame) => {
    const original = originalOf(frame, symbols);
    if (original) {
      const { file, line, column } = original;
      return { name: original.name ?? frame.name, resourceId: resourceId(file), line, column };
    }
    if (frame.resourceId === undefined) return frame;
    return { ...frame, resourceId: resourceId(trace.resources[frame.resourceId]) };
  });
  return { ...trace, resources: [...resourceIds.keys()], frames };
}

/** A place begins at 1: one of 0 is none. @param {TraceFrame} frame @param {(Symbols | null)[]} symbols by resource @returns {Original | null} */
function originalOf({ name, resourceId, line, column }, symbols) {
  if (resourceId === undefined || !line || !column) return null;
  return symbols[resourceId]?.({ name, line, column }) ?? null;
}
