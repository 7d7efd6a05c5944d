declare const polyprof: typeof import('../dist/types/instrumenter/entries/esbuild.js', {
  with: { 'resolution-mode': 'import' },
}).default;
export = polyprof;
