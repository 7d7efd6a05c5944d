import { AsyncLocalStorage } from 'node:async_hooks';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The repository's root, where every command runs. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** What tasks in the background wrote so far. @type {AsyncLocalStorage<Buffer[]>} */
const backgroundOutput = new AsyncLocalStorage();

/** Starts a program so that it gets only what all others leave of the processors. */
const IDLY = process.platform === 'linux' ? ['chrt', '--idle', '0'] : ['nice', '-n', '19'];

/** A program that ended with an exit code other than 0, or was not found. */
export class CommandError extends Error {
  /** @param {string} command @param {string} outcome @param {string} output what it wrote, when it was kept */
  constructor(command, outcome, output) {
    super(`${command}: ${outcome}${output && `\n${output.trimEnd()}`}`);
    this.name = 'CommandError';
  }
}

/**
 * Runs a program of the repository's tools: those of `node_modules/.bin` come first in the search path.
 * @param {string} program
 * @param {string[]} args
 * @param {{env?: Record<string, string>, quiet?: boolean}} [options] `quiet`: output is shown only on failure, in the error
 * @returns {Promise<string>} the output when quiet; rejects with a `CommandError`
 */
export async function run(program, args, { env = {}, quiet = false } = {}) {
  const background = backgroundOutput.getStore();
  const [first, ...rest] = [...(background ? IDLY : []), program, ...args];
  const child = spawn(first, rest, {
    cwd: ROOT,
    env: { ...process.env, PATH: `${ROOT}node_modules/.bin:${process.env.PATH}`, ...env },
    stdio: quiet || background ? ['ignore', 'pipe', 'pipe'] : 'inherit',
  });
  const chunks = quiet ? [] : (background ?? []);
  child.stdout?.on('data', (chunk) => chunks.push(chunk));
  child.stderr?.on('data', (chunk) => chunks.push(chunk));
  const outcome = await new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(code === 0 ? undefined : (signal ?? `exit code ${code}`)));
  });
  const output = quiet ? Buffer.concat(chunks).toString() : '';
  if (outcome !== undefined)
    throw new CommandError([program, ...args].join(' ').slice(0, 200), outcome, output);
  return output;
}

/** @param {string} text for whoever waits for what runs here: at once, or when a task in the background has ended */
export function say(text) {
  const background = backgroundOutput.getStore();
  if (background) background.push(Buffer.from(`${text}\n`));
  else console.log(text);
}

/**
 * Does a task whose programs get only what others leave of the processors. What it says and what they write is shown when it has ended.
 * @param {() => Promise<unknown>} task
 */
export async function inBackground(task) {
  /** @type {Buffer[]} */
  const output = [];
  try {
    await backgroundOutput.run(output, task);
  } finally {
    process.stdout.write(Buffer.concat(output));
  }
}
