import { PathTrie } from '../traces/path_trie.js';
import { sampleWeights } from '../traces/sample_weights.js';
import { checkWholePaths } from '../traces/whole_paths.js';

/** @import { Profile } from './formats.js' */
/** @import { Location } from '../traces/location.js' */

/**
 * The file format of https://www.speedscope.app: one sampled profile per trace, in order of time. A sample without a stack has no
 * frames, which speedscope shows as a gap.
 * @param {Profile[]} profiles
 * @returns {string} JSON
 */
export function speedscope(profiles) {
  return [...speedscopePieces(profiles)].join('');
}

/**
 * The same, made while it is written: it has each path as a whole, and is many times as large as the trie.
 * @param {Profile[]} profiles
 * @returns {Iterable<string>}
 */
export function speedscopePieces(profiles) {
  const trie = new PathTrie();
  const nodes = profiles.map(({ trace }) => trie.addSamples(trace));
  checkWholePaths(trie, nodes.flat());
  return piecesOf(profiles, trie, nodes);
}

/** @param {Profile[]} profiles @param {PathTrie} trie @param {number[][]} nodes of their samples @returns {Generator<string>} */
function* piecesOf(profiles, trie, nodes) {
  const head = JSON.stringify({
    $schema: 'https://www.speedscope.app/file-format-schema.json',
    exporter: 'polyprof',
    name: profiles.map(({ name }) => name).join(', '),
    activeProfileIndex: 0,
    shared: { frames: trie.locations.map(frameOf) },
  });
  yield `${head.slice(0, -1)},"profiles":[`;
  for (const [i, profile] of profiles.entries()) {
    yield `${i > 0 ? ',' : ''}${JSON.stringify(withoutSamples(profile)).slice(0, -1)},"samples":[`;
    for (const [j, node] of nodes[i].entries()) {
      yield `${j > 0 ? ',' : ''}${JSON.stringify(trie.path(node).reverse())}`;
    }
    yield ']}';
  }
  yield ']}';
}

/** @param {Profile} profile */
function withoutSamples({ name, trace, details }) {
  const weights = sampleWeights(trace, details?.sampleInterval);
  const startValue = trace.samples[0]?.timestamp ?? 0;
  return {
    type: 'sampled',
    name,
    unit: 'milliseconds',
    startValue,
    endValue: startValue + weights.reduce((sum, weight) => sum + weight, 0),
    weights,
  };
}

/** What is not known is absent, not undefined or empty: speedscope prints what is there. @param {Location} location */
function frameOf({ name, file, line, column }) {
  return {
    name,
    ...(file && { file }),
    ...(line !== undefined && { line }),
    ...(column !== undefined && { col: column }),
  };
}
