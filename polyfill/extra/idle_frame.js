/**
 * Makes stack 0 one that nothing ever ran in: clients that take a sample without stack for one of stack 0 then charge idle time to
 * nobody (Sentry's SDK before version 11: https://github.com/getsentry/sentry-javascript/blob/10.78.0/packages/browser/src/profiling/utils.ts).
 * @param {Uint8Array} json a ProfilerTrace
 * @returns {any} the ProfilerTrace
 */
export function withIdleFrame(json) {
  const trace = JSON.parse(new TextDecoder().decode(json));
  const { frames, stacks, samples } = trace;
  for (const stack of stacks) if (stack.parentId >= 0) stack.parentId++;
  for (const sample of samples) if (sample.stackId >= 0) sample.stackId++;
  stacks.unshift({ frameId: frames.push({ name: '(idle)' }) - 1 });
  return trace;
}
