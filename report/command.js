import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { callTree } from './call_tree.js';
import { FORMATS, formatOf } from './formats.js';
import { readTrace } from './read_trace.js';
import { symbolsIn } from './symbol_files.js';
import { symbolicate } from './symbolicate.js';
import { formatTable } from './table.js';
import { terminal } from './terminal.js';

/** @import { Command } from 'commander' */
/** @import { Format, Profile } from './formats.js' */

/** @typedef {{tables?: string, output?: {file: string, format: Format}, top: number}} Options */

const OUTPUT_HELP = FORMATS.map(({ extension, description }) => `*${extension} (${description})`).join(', ');

/**
 * Adds `polyprof report` to a command line. Errors are told through `command.error`, in one line. Nothing is written unless
 * everything could be read.
 * @param {Command} program
 */
export function registerReport(program) {
  program
    .command('report')
    .description('show where the time of traces went, or convert them')
    .argument('<trace...>', 'JSON files, each a ProfilerTrace')
    .option('--tables <dir>', 'folder with the function tables (.ppft) or source maps (.map) of the scripts')
    .option('-o, --output <file>', `convert instead: ${OUTPUT_HELP}`, toOutput)
    .option('--top <n>', 'functions to show', toCount, 20)
    .action(async (files, options, command) => {
      try {
        await report(files, options, command.configureOutput().writeOut ?? (() => {}));
      } catch (error) {
        command.error(`error: ${/** @type {Error} */ (error).message}`);
      }
    });
}

/** @param {string[]} files @param {Options} options @param {(text: string) => void} print */
async function report(files, { tables, output, top }, print) {
  /** @type {Profile[]} */
  const profiles = [];
  for (const file of files) {
    const trace = await readTrace(file);
    profiles.push({
      name: basename(file).replace(/(\.trace)?\.json$/, ''),
      trace: tables === undefined ? trace : symbolicate(trace, symbolsIn(tables)),
    });
  }
  if (output) {
    await writeFile(output.file, output.format.convert(profiles));
    return;
  }
  const { width, color } = terminal(process.stdout);
  for (const { name, trace } of profiles) {
    if (profiles.length > 1) print(`\n${name}\n`);
    print(formatTable(callTree(trace), { width, color, rows: top }));
  }
}

/** @param {string} file */
function toOutput(file) {
  const format = formatOf(file);
  if (!format)
    throw new InvalidArgumentError(
      `The name must end in one of ${FORMATS.map((each) => each.extension).join(', ')}.`,
    );
  return { file, format };
}

/** @param {string} text */
function toCount(text) {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1)
    throw new InvalidArgumentError('It must be a whole number of at least 1.');
  return count;
}
