declare const polyprof: typeof import('../dist/types/instrumenter/entries/babel.js', {
  with: { 'resolution-mode': 'import' },
}).default;
export = polyprof;
