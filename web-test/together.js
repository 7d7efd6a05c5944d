import { runTogether } from '../scripts/lib/together.js';
// They close the browsers when all files are done: their hooks must not belong to the first file that needs them.
import './lib/each_driver.js';
import { forgetOrigins } from './lib/each_engine.js';

/**
 * node --test-reporter=spec web-test/together.js <test file>...
 * Runs test files in one process, so that they share its browsers and the pages that it builds.
 */
await runTogether(forgetOrigins);
