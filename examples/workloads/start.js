import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { HELP, OptionError, parseOptions } from './lib/options.js';

/**
 * `npm start`: bundles, instruments and profiles the workloads in a headless browser, and shows where their time went. Exit codes:
 * 0; 1 when something failed; 2 for options that are no use, and then nothing was changed.
 */

/** @import { Options } from './lib/options.js' */

const SET_UP = fileURLToPath(new URL('../../scripts/setup.sh', import.meta.url));

/** @param {Options} options @returns {number} exit code */
function setUp({ browser }) {
  const { status, error } = spawnSync('bash', [SET_UP, 'start', '--browser', browser], { stdio: 'inherit' });
  if (error) throw error;
  return status ?? 1;
}

/** @returns {Promise<number>} exit code */
async function main() {
  const options = parseOptions(process.argv.slice(2));
  if (!options) {
    process.stdout.write(HELP);
    return 0;
  }
  const status = options.setUp ? setUp(options) : 0;
  if (status !== 0) return status;
  // Not before: it needs the packages.
  const { profileAll } = await import('./lib/profile_all.js');
  await profileAll(options);
  return 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  const { message, code } = /** @type {NodeJS.ErrnoException} */ (error);
  const advice =
    code === 'ERR_MODULE_NOT_FOUND' ? '\nSomething is not installed yet: npm start does that.' : '';
  console.error(`error: ${message}${advice}`);
  process.exitCode = error instanceof OptionError ? 2 : 1;
  if (error instanceof OptionError) console.error('All options: npm start -- --help');
}
