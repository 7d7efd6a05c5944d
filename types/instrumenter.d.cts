declare const instrumenter: typeof import('../dist/types/instrumenter/instrument.js', {
  with: { 'resolution-mode': 'import' },
});
export = instrumenter;
