import fc from 'fast-check';
import { traceOf } from './traces.js';

/** Few names, so that recursion and common callers come up; some that a file format could stumble over. */
const name = fc.constantFrom(
  'a',
  'b',
  'c',
  'with space',
  'get x',
  '12',
  '#private',
  'Ünïcode',
  'f@a.js:1:2',
  'f@b.js:1:2',
  '@a.js:9:9',
);

const MAX_SAMPLES = 40;

/** Traces as our core makes them, with idle samples. */
export const traceArbitrary = fc
  .array(fc.array(name, { maxLength: 6 }), { maxLength: MAX_SAMPLES })
  .map((paths) => traceOf(paths.map((path) => path.join(';'))));

/**
 * Traces whose samples are at uneven times, some at the same, in hundredths of a millisecond; as native ones, with frames and stacks
 * that come twice or are in no sample.
 */
export const timedTraceArbitrary = fc
  .tuple(
    traceArbitrary,
    fc.array(fc.integer({ min: 0, max: 5000 }), { minLength: MAX_SAMPLES, maxLength: MAX_SAMPLES }),
    fc.nat(1e8),
  )
  .map(([trace, steps, start]) => {
    const { resources, frames, stacks, samples } = trace;
    const copies = stacks.map(({ frameId, parentId }) => ({
      frameId: frameId + frames.length,
      ...(parentId !== undefined && { parentId: parentId + (parentId % 2) * stacks.length }),
    }));
    let hundredths = start;
    return {
      resources,
      frames: [...frames, ...frames],
      stacks: [...stacks, ...copies],
      samples: samples.map(({ stackId }, i) => {
        const timestamp = hundredths / 100;
        hundredths += steps[i];
        return stackId === undefined
          ? { timestamp }
          : { timestamp, stackId: stackId + (i % 2) * stacks.length };
      }),
    };
  });
