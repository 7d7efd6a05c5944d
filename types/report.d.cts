declare const report: typeof import('../dist/types/report/index.js', {
  with: { 'resolution-mode': 'import' },
});
export = report;
