import { Children } from '../traces/children.js';
import { ANONYMOUS } from '../traces/location.js';
import { IDLE, PathTrie } from '../traces/path_trie.js';
import { sampleCounts } from '../traces/sample_counts.js';
import { sampleWeights } from '../traces/sample_weights.js';

/** @import { Profile } from './formats.js' */
/** @import { Location } from '../traces/location.js' */

const ROOT_ID = 1;
const IDLE_ID = 2;
/** Ids of the trie's nodes come after those of `(root)` and `(idle)`. */
const FIRST_ID = 3;

/**
 * The `Profiler.Profile` of the Chrome DevTools protocol, as Chrome's performance panel, VS Code and many others read it. Idle samples
 * are `(idle)`. Readers let a sample last until the next one; so that the last one lasts too, `(root)` follows it.
 * @param {Profile} profile
 * @returns {string} JSON
 */
export function cpuprofile(profile) {
  return [...cpuprofilePieces(profile)].join('');
}

/**
 * The same, made while it is written: that of many traces is larger than all that is needed to make it.
 * @param {Profile} profile
 * @returns {Generator<string>}
 */
export function* cpuprofilePieces({ trace, details }) {
  const trie = new PathTrie();
  const nodeOfSample = trie.addSamples(trace);
  const idOfSample = nodeOfSample.map((node) => (node === IDLE ? IDLE_ID : node + FIRST_ID));
  // Rounded times, not rounded differences: those would add up to another length.
  const times = trace.samples.map(({ timestamp }) => Math.round(timestamp * 1000));
  const startTime = times[0] ?? 0;
  const lastWeight = Math.round((sampleWeights(trace, details?.sampleInterval).at(-1) ?? 0) * 1000);
  const endTime = (times.at(-1) ?? 0) + lastWeight;
  const isEmpty = times.length === 0;
  const rest = JSON.stringify({
    startTime,
    endTime,
    samples: isEmpty ? [] : [...idOfSample, ROOT_ID],
    timeDeltas: isEmpty ? [] : [...times.map((time, i) => (i === 0 ? 0 : time - times[i - 1])), lastWeight],
  });
  yield '{"nodes":[';
  yield* nodesOf(trie, idOfSample, sampleCounts(trace));
  yield `],${rest.slice(1)}`;
}

/** Nodes that are objects at the same time: all of a large profile take several times of what they are written. */
const CHUNK = 4096;

/** @param {PathTrie} trie @param {number[]} idOfSample @param {number[]} counts by sample @returns {Generator<string>} what is in the array of them, as JSON */
function* nodesOf(trie, idOfSample, counts) {
  const scriptIds = new Map([['', '0']]);
  const scriptId = (/** @type {string} */ file) => {
    const id = scriptIds.get(file) ?? String(scriptIds.size);
    scriptIds.set(file, id);
    return id;
  };
  const callFrames = trie.locations.map((location) => callFrame(location, scriptId(location.file)));
  const builtIn = (/** @type {string} */ name) =>
    callFrame({ name, file: '', line: undefined, column: undefined }, '0');
  const last = trie.functions.length + FIRST_ID - 1;
  const children = new Children(last);
  for (let id = last; id >= FIRST_ID; id--) {
    const parent = trie.parents[id - FIRST_ID];
    children.add(parent === -1 ? ROOT_ID : parent + FIRST_ID, id);
  }
  children.add(ROOT_ID, IDLE_ID);
  const hitCounts = new Float64Array(last + 1);
  idOfSample.forEach((id, i) => (hitCounts[id] += counts[i]));
  const frames = [builtIn('(root)'), builtIn('(idle)')];
  const node = (/** @type {number} */ id) => ({
    id,
    callFrame: frames[id - ROOT_ID] ?? callFrames[trie.functions[id - FIRST_ID]],
    hitCount: hitCounts[id],
    children: children.of(id),
  });
  for (let first = ROOT_ID; first <= last; first += CHUNK) {
    const length = Math.min(CHUNK, last + 1 - first);
    if (first > ROOT_ID) yield ',';
    yield JSON.stringify(Array.from({ length }, (_, i) => node(first + i))).slice(1, -1);
  }
}

/** Positions are 0-based there, and -1 where there is none. @param {Location} location @param {string} scriptId */
function callFrame({ name, file, line, column }, scriptId) {
  return {
    functionName: name === ANONYMOUS ? '' : name,
    scriptId,
    url: file,
    lineNumber: (line ?? 0) - 1,
    columnNumber: (column ?? 0) - 1,
  };
}
