import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The repository's root, where every command runs. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A program that ended with an exit code other than 0, or was not found. */
class CommandError extends Error {
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
 * @param {{env?: Record<string, string>, quiet?: boolean, answer?: () => Promise<string | undefined> | string | undefined}} [options] `quiet`: output is shown only on failure, in
 *   the error; `answer`: what the program is sent for each message that it sends, a process of Node
 * @returns {Promise<string>} the output when quiet; rejects with a `CommandError`
 */
export async function run(program, args, { env = {}, quiet = false, answer } = {}) {
  /** @type {import('node:child_process').StdioOptions} */
  const stdio = quiet ? ['ignore', 'pipe', 'pipe'] : ['inherit', 'inherit', 'inherit'];
  if (answer) stdio.push('ipc');
  const child = spawn(program, args, {
    cwd: ROOT,
    env: { ...process.env, PATH: `${ROOT}node_modules/.bin:${process.env.PATH}`, ...env },
    stdio,
  });
  if (answer) {
    child.on('message', async () => {
      const told = await answer();
      if (child.connected) child.send({ answer: told });
    });
  }
  /** @type {Buffer[]} */
  const chunks = [];
  child.stdout?.on('data', (chunk) => chunks.push(chunk));
  child.stderr?.on('data', (chunk) => chunks.push(chunk));
  const outcome = await new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(code === 0 ? undefined : (signal ?? `exit code ${code}`)));
  });
  const output = Buffer.concat(chunks).toString();
  if (outcome !== undefined)
    throw new CommandError([program, ...args].join(' ').slice(0, 200), outcome, output);
  return output;
}
