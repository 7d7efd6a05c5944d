#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { UsageError } from './command/usage_error.js';

/** What adds each command. @type {Record<string, () => Promise<(program: Command) => void>>} */
const COMMANDS = {
  instrument: async () => (await import('./command/instrument_command.js')).registerInstrument,
  calibrate: async () => (await import('./command/calibrate_command.js')).registerCalibrate,
  run: async () => (await import('../testing/run/run_command.js')).registerRun,
  report: async () => (await import('../report/report_command.js')).registerReport,
  diff: async () => (await import('../report/diff_command.js')).registerDiff,
  collect: async () => (await import('../collect/command.js')).registerCollect,
};

// `polyprof … | head`: whoever reads has enough. What is to be written to files is written all the same.
let isClosed = false;
process.stdout.on('error', (error) => {
  if (isClosed || /** @type {NodeJS.ErrnoException} */ (error).code === 'EPIPE') return;
  isClosed = true;
  console.error(`error: standard output cannot be written (${error.message})`);
  process.exitCode = 1;
});

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const program = new Command('polyprof');
program.description('a sampling profiler inside the page, in every browser').version(version).exitOverride();
// Only the command that is asked for is loaded; for help, all.
const [asked] = process.argv.slice(2);
const names = Object.hasOwn(COMMANDS, asked) ? [asked] : Object.keys(COMMANDS);
for (const name of names) (await COMMANDS[name]())(program);

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    // It has said what is wrong, or printed the help that was asked for.
    process.exitCode = error.exitCode === 0 ? 0 : 2;
  } else if (error instanceof UsageError) {
    console.error(`error: ${error.message}`);
    process.exitCode = 2;
  } else if (error instanceof Error && 'syscall' in error) {
    // The system refuses to read or write a file.
    console.error(`error: ${error.message}`);
    process.exitCode = 1;
  } else {
    throw error;
  }
}
