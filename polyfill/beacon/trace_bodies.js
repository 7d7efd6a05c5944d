import { partOfTrace } from '../extra/part_of_trace.js';
import { randomId } from './session.js';

/** @typedef {import('../extra/part_of_trace.js').Trace} Trace */

/** A part takes more per sample than the whole, which needs each stack once. */
const FILL = 0.8;

/**
 * What is sent of a trace: JSON of `{id, …details, trace}`, in as many parts as it takes. Each part is a trace of its own, whose
 * `olderSamples` says how many are in those before it.
 * @param {Trace} trace
 * @param {object} details
 * @param {number} maxBytes of a part; one sample may have more
 * @returns {Uint8Array[]} the newest first
 */
export function traceBodies(trace, details, maxBytes) {
  const whole = encoded(trace, details);
  const { length } = trace.samples;
  if (whole.length <= maxBytes || length < 2) return [whole];
  const bodies = [];
  let size = Math.max(1, Math.floor((length * maxBytes * FILL) / whole.length));
  // Losses are those of the whole: once is enough.
  const others = { ...details, losses: undefined };
  for (let to = length; to > 0;) {
    const olderSamples = Math.max(0, to - size);
    const part = { ...partOfTrace(trace, olderSamples, to), olderSamples };
    const body = encoded(part, bodies.length === 0 ? details : others);
    if (body.length > maxBytes && to - olderSamples > 1) {
      size = Math.max(1, Math.floor((to - olderSamples) / 2));
    } else {
      bodies.push(body);
      to = olderSamples;
    }
  }
  return bodies;
}

/** @param {Trace} trace @param {object} details */
function encoded(trace, details) {
  return new TextEncoder().encode(JSON.stringify({ id: randomId(), ...details, trace }));
}
