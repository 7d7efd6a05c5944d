import { InvalidArgumentError, Option } from 'commander';

/** @import { Command } from 'commander' */

const AFTER_OPTIONS = `
Traces are filed as <folder>/date=YYYY-MM-DD/hour=HH/traces-*.ndjson.gz, by the hour of their arrival in UTC. What is answered with 204
is on its way to the disk even if this process is killed; files that were being written then are finished at the next start.
polyprof report and DuckDB read the folder as it is.

Example: a receiver behind a reverse proxy, for the pages of one site
  polyprof collect --out traces --origin https://shop.example --trust-proxy`;

/**
 * Adds `polyprof collect` to a command line.
 * @param {Command} program
 */
export function registerCollect(program) {
  program
    .command('collect')
    .description('receive traces from pages, and file them for report, DuckDB and object storage')
    .requiredOption('-o, --out <folder>', 'where to file them')
    .option('--host <address>', 'address to listen on; 0.0.0.0 or :: for all', '127.0.0.1')
    .option('--port <n>', 'port to listen on; 0: any that is free', wholeNumber(0, 65535), 4180)
    .option(
      '--origin <origin>',
      'accept only what pages of this origin send, e.g. https://shop.example (repeatable; default: any)',
      collectOrigins,
    )
    .option(
      '--rate <n>',
      'requests per minute from one address; 0: no limit',
      wholeNumber(0, 1_000_000_000),
      600,
    )
    .option('--trust-proxy', 'tell addresses apart by the last one in X-Forwarded-For')
    .addOption(sizeOption('--max-body <MB>', 'longest body, packed and unpacked', 4))
    .option('--fsync', 'answer when a trace is on the disk itself, which also survives loss of power')
    .option('--rotate <seconds>', 'begin a new file after that time', wholeNumber(1, 3600), 300)
    .addOption(sizeOption('--file-size <MB>', 'begin a new file at that size', 64))
    .addHelpText('after', AFTER_OPTIONS)
    .action(async (options, command) => {
      // Loaded when it is wanted: other commands start without it.
      const { collect } = await import('./collect.js');
      const { writeOut, writeErr } = command.configureOutput();
      await collect(options, {
        print: (text) => writeOut(`${text}\n`),
        complain: (text) => writeErr(`${text}\n`),
      });
    });
}

/** @param {number} least @param {number} most */
function wholeNumber(least, most) {
  return (/** @type {string} */ text) => {
    const number = Number(text);
    if (text.trim() === '' || !Number.isInteger(number) || number < least || number > most) {
      throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
    }
    return number;
  };
}

/** @param {string} flags @param {string} description @param {number} megabytes by default */
function sizeOption(flags, description, megabytes) {
  return new Option(flags, description)
    .argParser(toBytes)
    .default(toBytes(String(megabytes)), String(megabytes));
}

/** @param {string} text MB @returns {number} bytes */
function toBytes(text) {
  const number = Number(text);
  if (!(number > 0 && number <= 256)) {
    throw new InvalidArgumentError('It must be a number above 0 and of at most 256.');
  }
  return Math.ceil(number * 2 ** 20);
}

/** @param {string} text @param {string[]} [before] */
function collectOrigins(text, before = []) {
  if (!URL.canParse(text) || new URL(text).origin !== text) {
    throw new InvalidArgumentError(
      'It must be an origin without a path or a slash at its end, such as https://shop.example.',
    );
  }
  return [...before, text];
}
