import { existsSync, statSync } from 'node:fs';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { ENGINE_NAMES } from '../../../web-test/lib/browsers.js';
import { WORKLOADS } from '../build.js';

/** @typedef {{browser: import('../../../web-test/lib/browsers.js').EngineName, interval: number, out: string, only?: string, top: number}} Options */

/**
 * @param {string[]} args
 * @returns {Options | number} or the exit code, when everything has been said: 0 after the help, 2 after an error
 */
export function parseOptions(args) {
  const command = new Command('npm start --')
    .description('Profiles four real libraries in a real browser, and shows where their time goes.')
    .addOption(new Option('--browser <name>', 'where to run them').choices(ENGINE_NAMES).default('chromium'))
    .option('--interval <ms>', 'time between samples, at least 1', toInterval, 1)
    .option('--out <dir>', 'folder for bundles and traces', toFolder, 'out')
    .addOption(new Option('--only <workload>', 'run only this one').choices(WORKLOADS))
    .option('--top <n>', 'functions to show of each', toCount, 12)
    .allowExcessArguments(false)
    .exitOverride();
  try {
    command.parse(args, { from: 'user' });
    return /** @type {Options} */ (command.opts());
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    throw error;
  }
}

/** @param {string} text */
function toInterval(text) {
  const interval = Number(text);
  if (!(interval >= 1 && interval <= 1000)) throw new InvalidArgumentError('It must be between 1 and 1000.');
  return interval;
}

/** @param {string} text */
function toFolder(text) {
  if (existsSync(text) && !statSync(text).isDirectory())
    throw new InvalidArgumentError('It is not a folder.');
  return text;
}

/** @param {string} text */
function toCount(text) {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1)
    throw new InvalidArgumentError('It must be a whole number of at least 1.');
  return count;
}
