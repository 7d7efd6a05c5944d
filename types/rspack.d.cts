declare const polyprof: typeof import('../dist/types/instrumenter/entries/rspack.js', {
  with: { 'resolution-mode': 'import' },
}).default;
export = polyprof;
