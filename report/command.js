import { existsSync, statSync } from 'node:fs';
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
import { TraceError } from './trace_error.js';

/** @import { Command } from 'commander' */
/** @import { Format, Profile } from './formats.js' */

/** @typedef {{tables?: string, output?: {file: string, format: Format}, top: number}} Options */

const EXTENSIONS = FORMATS.flatMap(({ extensions }) => extensions).join(', ');

const OUTPUT_HELP = FORMATS.map(({ extensions, description }) => `*${extensions[0]} (${description})`).join(
  ', ',
);

const ADVICE = 'A trace is the JSON text of what stop() of a profiler resolves with.';

/**
 * Adds `polyprof report` to a command line. Errors are told through `command.error`. Nothing is written unless everything could
 * be read.
 * @param {Command} program
 */
export function registerReport(program) {
  program
    .command('report')
    .description('show where the time of traces went, or convert them')
    .argument('<trace...>', 'JSON files, each a ProfilerTrace')
    .option(
      '--tables <dir>',
      'folder with the function tables (.ppft) or source maps (.map) of the scripts, for original names',
      toFolder,
    )
    .option('-o, --output <file>', `convert instead: ${OUTPUT_HELP}`, toOutput)
    .option('--top <n>', 'functions to show', toCount, 20)
    .action(async (files, options, command) => {
      const { writeOut, writeErr } = command.configureOutput();
      try {
        await report(files, options, writeOut, writeErr);
      } catch (error) {
        const advice = error instanceof TraceError && existsSync(error.file) ? `\n${ADVICE}` : '';
        command.error(`error: ${/** @type {Error} */ (error).message}${advice}`);
      }
    });
}

/**
 * @param {string[]} files @param {Options} options
 * @param {(text: string) => void} print @param {(text: string) => void} warn
 */
async function report(files, { tables, output, top }, print, warn) {
  /** @type {Profile[]} */
  const profiles = [];
  for (const file of files) {
    const trace = await readTrace(file);
    profiles.push({
      name: basename(file).replace(/(\.trace)?\.json$/, ''),
      trace: tables === undefined ? trace : symbolicate(trace, symbolsOrWarning(tables, warn)),
    });
  }
  if (output) {
    await writeTo(output.file, output.format.convert(profiles));
    return;
  }
  const { width, color } = terminal(process.stdout);
  for (const { name, trace } of profiles) {
    if (profiles.length > 1) print(`\n${name}\n`);
    print(formatTable(callTree(trace), { width, color, rows: top }));
  }
}

/** @param {string} folder @param {(text: string) => void} warn @returns {ReturnType<typeof symbolsIn>} */
function symbolsOrWarning(folder, warn) {
  const symbolsOf = symbolsIn(folder);
  return (resource) => {
    const symbols = symbolsOf(resource);
    if (!symbols) warn(`warning: ${folder} has no function table and no source map of ${resource}\n`);
    return symbols;
  };
}

/** @param {string} file @param {string | Uint8Array} text */
async function writeTo(file, text) {
  try {
    await writeFile(file, text);
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    throw new Error(`${file}: cannot be written (${message})`, { cause: error });
  }
}

/** @param {string} path */
function toFolder(path) {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    throw new InvalidArgumentError('It is not a folder.');
  }
  return path;
}

/** @param {string} file */
function toOutput(file) {
  const format = formatOf(file);
  if (!format) throw new InvalidArgumentError(`The name must end in one of ${EXTENSIONS}.`);
  return { file, format };
}

/** @param {string} text */
function toCount(text) {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1)
    throw new InvalidArgumentError('It must be a whole number of at least 1.');
  return count;
}
