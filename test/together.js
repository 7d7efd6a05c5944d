import { runTogether } from '../scripts/lib/together.js';

/**
 * node --test-reporter=spec test/together.js <test file>...
 * Runs test files that need no browser of their own in one process.
 */
await runTogether();
