import { InvalidArgumentError, Option } from 'commander';
import { topOption } from '../../report/option_values.js';

const EXAMPLES = `
The page and its scripts get their probes on the way to the browser: the app is served as always. Chromium and Firefox are driven by the
Playwright or Puppeteer of the project (npm i -D puppeteer-core, if there is none), WebKit by WebKitWebDriver.

A command that opens the page gets its address in POLYPROF_URL: tests of any kind, in any browser. With --browser any it is you who opens it. Scripts
that it loads by other addresses get no probes.

A script is a module that exports a function; it gets the page, which shows the address by then:
  export default async (page) => { await page.click('button'); }

Examples:
  polyprof run http://localhost:5173
  polyprof run dist/index.html --script flow.mjs --browser firefox
  polyprof run http://localhost:5173 --headed
  polyprof run http://localhost:5173 --script flow.mjs --repeat 10 -o before
  polyprof run http://localhost:5173 --browser any
  polyprof run http://localhost:5173 -- npx wdio run wdio.conf.js

Exit code 1 when the page could not be profiled, or the script or the command failed. 2: wrong usage.`;

/**
 * Adds `polyprof run` to a command line.
 * @param {import('commander').Command} program
 */
export function registerRun(program) {
  program
    .command('run')
    .description('open a page in a browser, profile it, and show where its time went')
    .argument('<url|html>', 'address, HTML file, or folder with an index.html')
    .argument('[command...]', 'what opens the page, behind --')
    .addOption(
      new Option('--browser <name>', 'which browser')
        .choices(['chromium', 'firefox', 'webkit', 'any'])
        .default('chromium'),
    )
    .option('--script <file>', 'what to do in the page')
    .option('--seconds <n>', 'without a script: how long to record after the page has loaded', toSeconds, 5)
    .option('--repeat <n>', 'that many runs, each in a browser of its own, for polyprof diff', toCount, 1)
    .option('--headed', 'show the browser; without a script, record until Enter is pressed here')
    .option('-o, --output <folder>', 'where trace and report are written', 'polyprof-results')
    .option('--name <name>', 'of the files', 'profile')
    .option('--interval <ms>', 'between two samples', toInterval, 1)
    .addOption(new Option('--probe <kind>', 'kind of probe').choices(['flag', 'shadow']).default('flag'))
    .option('--min-weight <n>', 'leave out functions with fewer statements, calls and loops', toNumber)
    .option('--include <pattern>', 'only functions of these sources: packages, globs (repeatable)', collect)
    .option('--exclude <pattern>', 'no functions of these sources (repeatable)', collect)
    .option(
      '--source-maps <folder>',
      'with source maps that the server does not give out (repeatable)',
      collect,
    )
    .option('--no-isolate', 'leave the page as isolated as its server makes it; for pages that open windows')
    .option('--block-service-workers', 'the page gets none, so that none answers for its scripts')
    .option(
      '--ignore-https-errors',
      'of certificates that nobody vouches for, as of a server on this machine',
    )
    .option('--executable <path>', 'of the browser')
    .addOption(topOption())
    .addHelpText('after', EXAMPLES)
    .action(async (target, command, options) => {
      const { run } = await import('./run.js');
      await run(target, command, options);
    });
}

/** @param {string} text */
function toNumber(text) {
  const number = Number(text);
  if (text.trim() === '' || !(number >= 0 && number < Infinity)) {
    throw new InvalidArgumentError('It must be a number of at least 0.');
  }
  return number;
}

/** @param {string} text */
function toSeconds(text) {
  const seconds = toNumber(text);
  if (seconds > 3600) throw new InvalidArgumentError('It must be a number from 0 to 3600.');
  return seconds;
}

/** @param {string} text */
function toCount(text) {
  const number = toNumber(text);
  if (number < 1 || !Number.isInteger(number))
    throw new InvalidArgumentError('It must be a whole number of at least 1.');
  return number;
}

/** @param {string} text */
function toInterval(text) {
  const number = toNumber(text);
  if (number < 1) throw new InvalidArgumentError('It must be at least 1: no session samples more often.');
  return number;
}

/** @param {string} value @param {string[]} [previous] */
function collect(value, previous = []) {
  return [...previous, value];
}
