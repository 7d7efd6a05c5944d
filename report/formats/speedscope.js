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
  const trie = new PathTrie();
  const nodes = profiles.map(({ trace }) => trie.addSamples(trace));
  checkWholePaths(trie, nodes.flat());
  return JSON.stringify({
    $schema: 'https://www.speedscope.app/file-format-schema.json',
    exporter: 'polyprof',
    name: profiles.map(({ name }) => name).join(', '),
    activeProfileIndex: 0,
    profiles: profiles.map((profile, i) => sampledProfile(profile, trie, nodes[i])),
    shared: { frames: trie.locations.map(frameOf) },
  });
}

/** @param {Profile} profile @param {PathTrie} trie @param {number[]} nodes of its samples */
function sampledProfile({ name, trace }, trie, nodes) {
  const weights = sampleWeights(trace);
  const startValue = trace.samples[0]?.timestamp ?? 0;
  return {
    type: 'sampled',
    name,
    unit: 'milliseconds',
    startValue,
    endValue: startValue + weights.reduce((sum, weight) => sum + weight, 0),
    samples: nodes.map((node) => trie.path(node).reverse()),
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
