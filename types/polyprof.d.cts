// CommonJS: no default export, the same names.
export { install, version } from './polyprof.mjs';
export type { Polyprof, PolyprofInstallOptions, PolyprofLosses, PolyprofWatchOptions } from './polyprof.mjs';
