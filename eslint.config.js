import js from '@eslint/js';
import globals from 'globals';

/** Folders whose programs talk to a terminal. */
const COMMAND_LINE = [
  'scripts/**',
  'instrumenter/**',
  'report/**',
  'collect/**',
  'testing/**',
  'bench/**',
  'web-test/**',
  'test/**',
  'examples/**',
];

export default [
  // Fixtures are inputs whose exact text is the point, some of them wrong on purpose.
  { ignores: ['dist/', 'build/', 'out/', 'bench/results/', '**/fixtures/'] },
  js.configs.recommended,
  {
    rules: {
      'no-unused-vars': ['error', { argsIgnorePattern: '^_', caughtErrors: 'all' }],
      'no-console': 'error',
      'no-implicit-coercion': ['error', { boolean: false }],
      'no-throw-literal': 'error',
      'no-var': 'error',
      'object-shorthand': 'error',
      'prefer-const': 'error',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
  },
  { files: ['polyfill/**', 'wasm/**'], languageOptions: { globals: globals.browser } },
  { files: ['polyfill/worker/**'], languageOptions: { globals: globals.worker } },
  {
    files: [...COMMAND_LINE, '*.js'],
    languageOptions: { globals: { ...globals.node, ...globals.browser } },
    rules: { 'no-console': 'off' },
  },
  // These tests hold functions that run in a page and use what the page defines.
  { files: ['web-test/*.test.js'], rules: { 'no-undef': 'off' } },
  // A page calls what its scripts define.
  {
    files: ['examples/script-tag/site/**', 'examples/field-profiling/site/**', 'examples/run/primes.js'],
    languageOptions: { sourceType: 'script', globals: globals.browser },
    rules: { 'no-unused-vars': ['error', { vars: 'local' }] },
  },
  // Scripts of pages are classic scripts, and call each other across files.
  {
    files: ['web-test/**/pages/**/*.js', 'bench/overhead/turns_page/*.js'],
    languageOptions: { sourceType: 'script', globals: globals.browser },
  },
];
