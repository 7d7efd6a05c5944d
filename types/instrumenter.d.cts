declare const instrumenter: typeof import('../dist/types/instrumenter/entries/instrumenter.js', {
  with: { 'resolution-mode': 'import' },
});
export = instrumenter;
