import { locationKey, locationOf } from './location.js';
import { sampleCounts, sampleTotal } from './sample_counts.js';

/** @import { ProfilerTrace } from './check_trace.js' */
/** @import { Location } from './location.js' */

/**
 * Where the time went, per function and per path. All counts are of samples; frames of the same function (name and place) are one.
 *
 * @typedef {object} FunctionTime
 * @property {Location} location
 * @property {number} self samples in which it was the innermost frame
 * @property {number} total samples in which it was on the stack, once each, however often it recurs
 *
 * @typedef {object} PathTime
 * @property {Location | null} location null: the root, of which all outermost frames are children
 * @property {number} self samples that end here
 * @property {number} total samples that end here or below
 * @property {PathTime[]} children heaviest first
 *
 * @typedef {object} CallTree
 * @property {number} samples all of them
 * @property {number} idle those without a stack: neither in `functions` nor in `root`
 * @property {FunctionTime[]} functions most self time first, then most total
 * @property {PathTime} root its total is `samples - idle`
 */

/** @typedef {PathTime & {byFunction: Map<number, Node>}} Node while the tree grows */

/** @param {ProfilerTrace} trace that was checked @returns {CallTree} */
export function callTree(trace) {
  const { functionOfFrame, functions } = mergeFrames(trace);
  const { counts, idle } = samplesPerStack(trace);
  const root = node(null);
  /** Which sample group last counted a function, so that recursion counts once. @type {number[]} */
  const lastSeenIn = [];
  counts.forEach((count, stackId) => {
    if (count === 0) return;
    const path = pathOf(trace, stackId, functionOfFrame);
    let place = root;
    place.total += count;
    for (const id of path) {
      if (lastSeenIn[id] !== stackId) functions[id].total += count;
      lastSeenIn[id] = stackId;
      place = childOf(place, id, functions[id].location);
      place.total += count;
    }
    place.self += count;
    functions[path[path.length - 1]].self += count;
  });
  return {
    samples: sampleTotal(trace),
    idle,
    functions: functions
      .filter(({ total }) => total > 0)
      .sort((a, b) => b.self - a.self || b.total - a.total),
    root: finished(root),
  };
}

/** @param {ProfilerTrace} trace */
function mergeFrames(trace) {
  /** @type {FunctionTime[]} */
  const functions = [];
  /** @type {Map<string, number>} */
  const known = new Map();
  const functionOfFrame = trace.frames.map((_, frameId) => {
    const location = locationOf(trace, frameId);
    const key = locationKey(location);
    const id = known.get(key) ?? functions.push({ location, self: 0, total: 0 }) - 1;
    known.set(key, id);
    return id;
  });
  return { functionOfFrame, functions };
}

/** @param {ProfilerTrace} trace */
function samplesPerStack(trace) {
  const counts = new Float64Array(trace.stacks.length);
  const sizes = sampleCounts(trace);
  let idle = 0;
  trace.samples.forEach(({ stackId }, i) => {
    if (stackId === undefined) idle += sizes[i];
    else counts[stackId] += sizes[i];
  });
  return { counts, idle };
}

/** @param {ProfilerTrace} trace @param {number} stackId @param {number[]} functionOfFrame @returns {number[]} outermost first */
function pathOf({ stacks }, stackId, functionOfFrame) {
  const path = [];
  for (let id = /** @type {number | undefined} */ (stackId); id !== undefined; id = stacks[id].parentId) {
    path.push(functionOfFrame[stacks[id].frameId]);
  }
  return path.reverse();
}

/** @param {Location | null} location @returns {Node} */
function node(location) {
  return { location, self: 0, total: 0, children: [], byFunction: new Map() };
}

/** @param {Node} parent @param {number} id @param {Location} location @returns {Node} */
function childOf(parent, id, location) {
  let child = parent.byFunction.get(id);
  if (!child) {
    child = node(location);
    parent.byFunction.set(id, child);
  }
  return child;
}

/** Without recursion: stacks are as deep as the page's were. @param {Node} root @returns {PathTime} */
function finished(root) {
  /** @type {PathTime} */
  const result = { location: root.location, self: root.self, total: root.total, children: [] };
  /** @type {[Node, PathTime][]} */
  const open = [[root, result]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [from, to] = next;
    for (const child of [...from.byFunction.values()].sort((a, b) => b.total - a.total)) {
      const { location, self, total } = child;
      const copy = { location, self, total, children: [] };
      to.children.push(copy);
      open.push([child, copy]);
    }
  }
  return result;
}
