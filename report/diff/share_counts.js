import { PathTrie } from '../traces/path_trie.js';
import { sampleWeights } from '../traces/sample_weights.js';

/** @import { Profile } from '../formats/formats.js' */
/** @import { Location } from '../traces/location.js' */

/** Each run is cut into so many blocks: enough to see how much a share varies, long enough to hold what hangs together. */
export const BLOCKS = 40;

/** @typedef {Pick<Profile, 'trace' | 'details'>[]} Run its page, workers and frames */

/**
 * What one side of a comparison says about one function or path.
 *
 * @typedef {object} Counts
 * @property {number} samples of it
 * @property {number} steps sum over neighbouring blocks of a run: (difference of its samples)², weighted so that it estimates the
 *   variance of `samples`
 * @property {number} squares sum over runs: samples²
 * @property {number} products sum over runs: samples · all busy samples of the run
 */

/**
 * How often each function and each path was seen in many runs, and how much that varied, in memory for the distinct paths only. Idle
 * samples count nowhere.
 */
export class ShareCounts {
  runs = 0;
  /** Samples with a stack. */
  samples = 0;
  /** Sum over runs: samples². */
  squares = 0;
  /** Of each run: how long it was not idle. */
  runMs = /** @type {number[]} */ ([]);
  /** @type {Counts[]} self samples by function of the trie */
  functions = [];
  /** @type {Counts[]} samples in it and below, by node of the trie */
  paths = [];
  #trie;
  #identify;

  /**
   * @param {PathTrie} trie shared by both sides
   * @param {(location: Location) => Location} identify what makes functions of two builds the same
   */
  constructor(trie, identify) {
    this.#trie = trie;
    this.#identify = identify;
  }

  /**
   * Adds one run. Its traces (the page, its workers, its frames) are taken together: how they differ from each other is no chance.
   * @param {Run} run whose traces were checked
   */
  add(run) {
    const own = new PathTrie();
    /** @type {number[]} */
    const nodes = [];
    // `flatMap` would take as long as everything else here together.
    let ms = 0;
    for (const { trace, details } of run) {
      const weights = sampleWeights(trace, details?.sampleInterval);
      own.addSamples(trace).forEach((node, i) => {
        if (node < 0) return;
        nodes.push(node);
        ms += weights[i];
      });
    }
    this.runMs.push(ms);
    this.runs++;
    this.samples += nodes.length;
    this.squares += nodes.length ** 2;
    const { functionIds, nodeIds } = idsIn(this.#trie, own, this.#identify);
    const blocks = blocksOf(nodes, own.functions.length);
    this.#count(this.functions, blocks, (node) => functionIds[own.functions[node]], nodes.length);
    for (const block of blocks) addToCallers(block.counts, own.parents);
    this.#count(this.paths, blocks, (node) => nodeIds[node], nodes.length);
  }

  /**
   * With other ids, by which several may be one: of those, no run has two.
   * @param {Ids} ids @returns {SideCounts}
   */
  renumbered({ functionIds, nodeIds }) {
    const { runs, samples, squares, runMs } = this;
    const functions = renumbered(this.functions, functionIds);
    return { runs, samples, squares, runMs, functions, paths: renumbered(this.paths, nodeIds) };
  }

  /**
   * @param {Counts[]} target @param {Block[]} blocks @param {(node: number) => number} idOf in the target
   * @param {number} all samples of the run
   */
  #count(target, blocks, idOf, all) {
    /** Blocks with counts by id, since several nodes may be of one. @type {Map<number, Float64Array>} */
    const byId = new Map();
    blocks.forEach(({ counts }, b) => {
      counts.forEach((count, node) => {
        if (count === 0) return;
        const id = idOf(node);
        const series = byId.get(id) ?? new Float64Array(blocks.length);
        series[b] += count;
        byId.set(id, series);
      });
    });
    for (const [id, series] of byId) {
      const samples = series.reduce((sum, count) => sum + count, 0);
      const steps = sumOfSteps(series, blocks);
      addCounts(target, id, { samples, steps, squares: samples ** 2, products: samples * all });
    }
  }
}

/** @typedef {Pick<ShareCounts, 'runs' | 'samples' | 'squares' | 'runMs' | 'functions' | 'paths'>} SideCounts */

/** @typedef {{functionIds: number[], nodeIds: number[]}} Ids in one trie by those in another */

/**
 * Adds all paths of a trie to another one.
 * @param {PathTrie} trie @param {PathTrie} added @param {(location: Location) => Location} rename
 * @returns {Ids} of what was added
 */
export function idsIn(trie, added, rename) {
  const functionIds = added.locations.map((location) => trie.functionId(rename(location)));
  /** @type {number[]} */
  const nodeIds = [];
  added.functions.forEach((id, i) => {
    const parent = added.parents[i];
    nodeIds.push(trie.node(parent === -1 ? -1 : nodeIds[parent], functionIds[id]));
  });
  return { functionIds, nodeIds };
}

/** @param {Counts[]} counts @param {number[]} ids @returns {Counts[]} */
function renumbered(counts, ids) {
  /** @type {Counts[]} */
  const target = [];
  counts.forEach((each, id) => addCounts(target, ids[id], each));
  return target;
}

/** @param {Counts[]} target @param {number} id @param {Counts} more of other runs */
function addCounts(target, id, { samples, steps, squares, products }) {
  const counts = (target[id] ??= { samples: 0, steps: 0, squares: 0, products: 0 });
  counts.samples += samples;
  counts.steps += steps;
  counts.squares += squares;
  counts.products += products;
}

/** @typedef {{length: number, counts: Float64Array}} Block samples in a row, and how many of them each node has */

/** @param {number[]} nodes of samples @param {number} nodeCount @returns {Block[]} of nearly equal length */
function blocksOf(nodes, nodeCount) {
  const count = Math.min(BLOCKS, nodes.length);
  return Array.from({ length: count }, (_, b) => {
    const part = nodes.slice(
      Math.floor((b * nodes.length) / count),
      Math.floor(((b + 1) * nodes.length) / count),
    );
    const counts = new Float64Array(nodeCount);
    for (const node of part) counts[node]++;
    return { length: part.length, counts };
  });
}

/** Parents come before their children. @param {Float64Array} counts by node @param {number[]} parents */
function addToCallers(counts, parents) {
  for (let node = counts.length - 1; node >= 0; node--) {
    if (parents[node] !== -1) counts[parents[node]] += counts[node];
  }
}

/**
 * Estimates the variance of a sum from the differences of neighbours: what changes slowly, as the phases of a program, is no noise.
 * @param {Float64Array} series count per block @param {Block[]} blocks
 */
function sumOfSteps(series, blocks) {
  if (blocks.length < 2) return series.reduce((sum, count) => sum + count, 0);
  let steps = 0;
  for (let b = 1; b < blocks.length; b++) {
    // Blocks differ by a sample at most; shares make them alike.
    const difference = series[b] / blocks[b].length - series[b - 1] / blocks[b - 1].length;
    steps += (difference * (blocks[b].length + blocks[b - 1].length)) ** 2 / 4;
  }
  return (steps / 2) * (blocks.length / (blocks.length - 1));
}
