declare const polyprof: typeof import('../dist/types/instrumenter/entries/rolldown.js', {
  with: { 'resolution-mode': 'import' },
}).default;
export = polyprof;
