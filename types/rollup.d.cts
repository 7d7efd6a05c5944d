declare const polyprof: typeof import('../dist/types/instrumenter/entries/rollup.js', {
  with: { 'resolution-mode': 'import' },
}).default;
export = polyprof;
