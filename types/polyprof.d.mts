import type { Polyprof } from './polyprof.cjs';

export * from './polyprof.cjs';
declare const polyprof: Polyprof;
export default polyprof;
