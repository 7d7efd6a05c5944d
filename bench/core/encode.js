import { newCore } from '../../test/wasm/load_core.js';

/**
 * How fast a session's trace becomes JSON.
 * @param {(loop: () => unknown) => number} nanoseconds per round
 * @returns {Promise<{core: number, json: number, bytes: number}>} MB/s
 */
export async function encodeRates(nanoseconds) {
  const { core } = await newCore();
  const session = core.openSession(1, 20_000, 0);
  const stacks = Array.from({ length: 200 }, (_, i) => {
    const frames = Array.from(
      { length: 20 },
      (__, depth) => `f${(i * depth) % 97}@https://example.org/app.js:${(i % 13) + depth}:5`,
    );
    return core.stackOfText(frames.join('\n'), 1, 0);
  });
  for (let tick = 1; tick <= 20_000; tick++) core.record(tick - 1, tick, stacks[tick % stacks.length]);
  const encode = () => core.encodeTrace(session);
  const bytes = encode().length;
  const trace = JSON.parse(new TextDecoder().decode(encode()));
  const rate = (/** @type {() => unknown} */ loop) => (bytes * 1000) / nanoseconds(loop);
  return { bytes, core: rate(encode), json: rate(() => new TextEncoder().encode(JSON.stringify(trace))) };
}
