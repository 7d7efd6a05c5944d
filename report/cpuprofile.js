import { ANONYMOUS } from './location.js';
import { IDLE, PathTrie } from './path_trie.js';
import { sampleCounts } from './sample_counts.js';
import { sampleWeights } from './sample_weights.js';

/** @import { Profile } from './formats.js' */
/** @import { Location } from './location.js' */

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
export function cpuprofile({ trace }) {
  const trie = new PathTrie();
  const nodeOfSample = trie.addSamples(trace);
  const idOfSample = nodeOfSample.map((node) => (node === IDLE ? IDLE_ID : node + FIRST_ID));
  // Rounded times, not rounded differences: those would add up to another length.
  const times = trace.samples.map(({ timestamp }) => Math.round(timestamp * 1000));
  const startTime = times[0] ?? 0;
  const lastWeight = Math.round((sampleWeights(trace).at(-1) ?? 0) * 1000);
  const endTime = (times.at(-1) ?? 0) + lastWeight;
  const isEmpty = times.length === 0;
  return JSON.stringify({
    nodes: nodesOf(trie, idOfSample, sampleCounts(trace)),
    startTime,
    endTime,
    samples: isEmpty ? [] : [...idOfSample, ROOT_ID],
    timeDeltas: isEmpty ? [] : [...times.map((time, i) => (i === 0 ? 0 : time - times[i - 1])), lastWeight],
  });
}

/** @param {PathTrie} trie @param {number[]} idOfSample @param {number[]} counts by sample */
function nodesOf(trie, idOfSample, counts) {
  const scriptIds = new Map([['', '0']]);
  const scriptId = (/** @type {string} */ file) => {
    const id = scriptIds.get(file) ?? String(scriptIds.size);
    scriptIds.set(file, id);
    return id;
  };
  const callFrames = trie.locations.map((location) => callFrame(location, scriptId(location.file)));
  const builtIn = (/** @type {string} */ name) =>
    callFrame({ name, file: '', line: undefined, column: undefined }, '0');
  /** @param {number} id @param {object} frame */
  const node = (id, frame) => ({
    id,
    callFrame: frame,
    hitCount: 0,
    children: /** @type {number[]} */ ([]),
  });
  const nodes = [node(ROOT_ID, builtIn('(root)')), node(IDLE_ID, builtIn('(idle)'))];
  nodes[0].children.push(IDLE_ID);
  trie.functions.forEach((functionId, i) => {
    nodes.push(node(i + FIRST_ID, callFrames[functionId]));
    const parent = trie.parents[i];
    nodes[parent === -1 ? 0 : parent + FIRST_ID - ROOT_ID].children.push(i + FIRST_ID);
  });
  idOfSample.forEach((id, i) => (nodes[id - ROOT_ID].hitCount += counts[i]));
  return nodes;
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
