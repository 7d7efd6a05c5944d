#!/usr/bin/env node
import { Command, CommanderError } from 'commander';
import { registerReport } from '../report/command.js';
import { registerInstrument } from './command/instrument_command.js';
import { UsageError } from './command/usage_error.js';

const program = new Command('polyprof');
program.description('a sampling profiler inside the page, in every browser').exitOverride();
registerInstrument(program);
registerReport(program);

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
