import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { WORKLOADS } from '../workloads.js';

/**
 * The command line of `npm start`. Without imports of packages: wrong options are told before anything is set up.
 *
 * @typedef {object} Options
 * @property {'chromium' | 'firefox' | 'webkit'} browser
 * @property {number} interval ms between samples
 * @property {string} out folder for bundles and traces
 * @property {string[]} only which workloads to run
 * @property {number} scale share of the usual work
 * @property {number} top functions to show of each
 * @property {boolean} setUp first install and build what is missing
 */

/** As `web-test/lib/browsers.js` has them; a test compares. */
export const BROWSERS = Object.freeze(['chromium', 'firefox', 'webkit']);

export const HELP = `Usage: npm start -- [options]

Profiles four real libraries in a real browser, and shows where their time goes.

  --browser <name>   ${BROWSERS.join(', ')}; default ${BROWSERS[0]}
  --interval <ms>    time between samples, 1 to 1000; default 1
  --out <folder>     for bundles and traces; default out
  --only <names>     some of ${WORKLOADS.join(', ')}, separated by commas; default all
  --scale <share>    how much work, 0.01 to 10; default 1, which takes seconds each
  --top <n>          functions to show of each; default 12
  --set-up           first install and build what is missing (npm start does)
  --help             this text
`;

/** Options that are no use: the message says what to write instead. */
export class OptionError extends Error {}

/**
 * @param {string[]} args
 * @returns {Options | null} null: the help is asked for
 * @throws {OptionError}
 */
export function parseOptions(args) {
  const { values, positionals } = parsed(args);
  if (values.help) return null;
  if (positionals.length > 0) {
    throw new OptionError(
      `'${positionals[0]}' is no option; npm wants -- before options: npm start -- --browser firefox`,
    );
  }
  const names = values.only.split(',');
  for (const name of names) choice('--only', name, WORKLOADS);
  return {
    browser: /** @type {Options['browser']} */ (choice('--browser', values.browser, BROWSERS)),
    interval: number('--interval', values.interval, 1, 1000),
    out: folder('--out', values.out),
    only: WORKLOADS.filter((name) => names.includes(name)),
    scale: number('--scale', values.scale, 0.01, 10),
    top: wholeNumber('--top', values.top),
    setUp: values['set-up'],
  };
}

/** @param {string[]} args */
function parsed(args) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        browser: { type: 'string', default: BROWSERS[0] },
        interval: { type: 'string', default: '1' },
        out: { type: 'string', default: 'out' },
        only: { type: 'string', default: WORKLOADS.join() },
        scale: { type: 'string', default: '1' },
        top: { type: 'string', default: '12' },
        'set-up': { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
  } catch (error) {
    // Node's advice after the first sentence is about positional arguments.
    const [sentence] = /** @type {Error} */ (error).message.split(/\. |\n/);
    throw new OptionError(sentence, { cause: error });
  }
}

/** @param {string} option @param {string} value @param {readonly string[]} known */
function choice(option, value, known) {
  if (!known.includes(value))
    throw new OptionError(`${option} is '${value}': it must be ${known.join(', ')}`);
  return value;
}

/** @param {string} option @param {string} text @param {number} least @param {number} most */
function number(option, text, least, most) {
  const value = text.trim() === '' ? NaN : Number(text);
  if (!(value >= least && value <= most)) {
    throw new OptionError(`${option} is '${text}': it must be a number from ${least} to ${most}`);
  }
  return value;
}

/** @param {string} option @param {string} text */
function wholeNumber(option, text) {
  if (!/^[1-9]\d{0,5}$/.test(text)) {
    throw new OptionError(`${option} is '${text}': it must be a whole number of at least 1`);
  }
  return Number(text);
}

/** @param {string} option @param {string} text @returns {string} absolute */
function folder(option, text) {
  if (text === '')
    throw new OptionError(`${option} is empty: it must be a folder, which need not be there yet`);
  const path = resolve(text);
  let existing = path;
  while (!existsSync(existing)) existing = dirname(existing);
  if (!statSync(existing).isDirectory()) {
    throw new OptionError(`${option} is '${text}': ${existing} is a file, it must be a folder`);
  }
  try {
    accessSync(existing, constants.W_OK);
  } catch (error) {
    throw new OptionError(`${option} is '${text}': nothing can be written to ${existing}`, { cause: error });
  }
  return path;
}
