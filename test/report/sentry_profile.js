/** @import { ProfilerTrace } from '../../report/reading/check_trace.js' */

/** What Sentry's SDK makes of a trace: a stack per sample, times since the first one. @param {ProfilerTrace} from */
export function sentryProfile({ resources, frames, stacks, samples }) {
  const listed = samples.map(({ stackId }) => {
    const list = [];
    for (let id = stackId; id !== undefined; id = stacks[id].parentId) list.push(stacks[id].frameId);
    return list;
  });
  const used = new Set(listed.flat());
  return {
    event_id: '0',
    platform: 'javascript',
    version: '1',
    runtime: { name: 'javascript', version: 'Mozilla/5.0' },
    debug_meta: { images: [{ type: 'sourcemap', code_file: 'a.js', debug_id: 'dead-beef' }] },
    profile: {
      thread_metadata: { 0: { name: 'main' } },
      frames: frames.map(({ name, resourceId, line, column }, i) =>
        used.has(i)
          ? {
              function: name,
              abs_path: resourceId === undefined ? undefined : resources[resourceId],
              lineno: line,
              colno: column,
            }
          : null,
      ),
      stacks: listed,
      samples: samples.map(({ timestamp }, i) => ({
        elapsed_since_start_ns: ((timestamp - samples[0].timestamp) * 1e6).toFixed(0),
        stack_id: i,
        thread_id: '0',
      })),
    },
  };
}
