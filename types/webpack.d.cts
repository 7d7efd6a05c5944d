declare const polyprof: typeof import('../dist/types/instrumenter/entries/webpack.js', {
  with: { 'resolution-mode': 'import' },
}).default;
export = polyprof;
