export { Profiler } from './mozilla.mjs';
export type { CallNode, FunctionPlace, Results, Sample } from './mozilla.mjs';
