declare const testing: typeof import('../dist/types/testing/index.js', {
  with: { 'resolution-mode': 'import' },
});
export = testing;
