declare const polyprof: typeof import('../dist/types/instrumenter/entries/vite.js', {
  with: { 'resolution-mode': 'import' },
}).default;
export = polyprof;
