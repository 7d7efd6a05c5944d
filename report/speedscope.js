import { locationKey, locationOf } from './location.js';
import { sampleWeights } from './sample_weights.js';

/** @import { Profile } from './formats.js' */
/** @import { Location } from './location.js' */

/**
 * The file format of https://www.speedscope.app: one sampled profile per trace, in order of time. A sample without a stack has no
 * frames, which speedscope shows as a gap.
 * @param {Profile[]} profiles
 * @returns {string} JSON
 */
export function speedscope(profiles) {
  const frames = new FrameList();
  return JSON.stringify({
    $schema: 'https://www.speedscope.app/file-format-schema.json',
    exporter: 'polyprof',
    name: profiles.map(({ name }) => name).join(', '),
    activeProfileIndex: 0,
    profiles: profiles.map((profile) => sampledProfile(profile, frames)),
    shared: { frames: frames.list },
  });
}

/** @param {Profile} profile @param {FrameList} frames */
function sampledProfile({ name, trace }, frames) {
  const frameIds = trace.frames.map((_, id) => frames.idOf(locationOf(trace, id)));
  const weights = sampleWeights(trace);
  const startValue = trace.samples[0]?.timestamp ?? 0;
  return {
    type: 'sampled',
    name,
    unit: 'milliseconds',
    startValue,
    endValue: startValue + weights.reduce((sum, weight) => sum + weight, 0),
    samples: trace.samples.map(({ stackId }) => {
      const path = [];
      for (let id = stackId; id !== undefined; id = trace.stacks[id].parentId) {
        path.push(frameIds[trace.stacks[id].frameId]);
      }
      return path.reverse();
    }),
    weights,
  };
}

/** Frames of all profiles, each function once. */
class FrameList {
  /** @type {{name: string, file?: string, line?: number, col?: number}[]} */
  list = [];
  /** @type {Map<string, number>} */
  #ids = new Map();

  /** @param {Location} location @returns {number} */
  idOf(location) {
    const key = locationKey(location);
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const { name, file, line, column } = location;
    // Absent, not undefined or empty: speedscope prints what is there.
    this.list.push({
      name,
      ...(file && { file }),
      ...(line !== undefined && { line }),
      ...(column !== undefined && { col: column }),
    });
    this.#ids.set(key, this.list.length - 1);
    return this.list.length - 1;
  }
}
