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

/** @typedef {() => Promise<string | undefined> | string | undefined} Answer undefined: there is nothing left to do */

/**
 * Runs a program of the repository's tools: those of `node_modules/.bin` come first in the search path.
 * @param {string} program
 * @param {string[]} args
 * @param {{env?: Record<string, string>, quiet?: boolean, answer?: Answer, patienceMs?: number}} [options] `quiet`: output is shown only on failure, in
 *   the error; `answer`: what the program is sent for each message that it sends, a process of Node; `patienceMs`: how long it may be busy with an answer
 * @returns {Promise<string>} the output when quiet; rejects with a `CommandError`
 */
export async function run(program, args, { env = {}, quiet = false, answer, patienceMs = Infinity } = {}) {
  /** @type {import('node:child_process').StdioOptions} */
  const stdio = quiet ? ['ignore', 'pipe', 'pipe'] : ['inherit', 'inherit', 'inherit'];
  if (answer) stdio.push('ipc');
  const child = spawn(program, args, {
    cwd: ROOT,
    env: { ...process.env, PATH: `${ROOT}node_modules/.bin:${process.env.PATH}`, ...env },
    stdio,
  });
  /** @type {string | undefined} */
  let hangsAt;
  if (answer) answerMessages(child, answer, patienceMs, (told) => (hangsAt = told));
  /** @type {Buffer[]} */
  const chunks = [];
  child.stdout?.on('data', (chunk) => chunks.push(chunk));
  child.stderr?.on('data', (chunk) => chunks.push(chunk));
  const outcome = await new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(code === 0 ? undefined : (signal ?? `exit code ${code}`)));
  });
  const output = Buffer.concat(chunks).toString();
  if (hangsAt) throw new CommandError(hangsAt, `not done after ${patienceMs / 60_000} minutes`, output);
  if (outcome !== undefined)
    throw new CommandError([program, ...args].join(' ').slice(0, 200), outcome, output);
  return output;
}

/** How long a process that is told to end may take; in a loop it hears nothing. */
const END_MS = 5000;

/**
 * @param {import('node:child_process').ChildProcess} child that asks, and is ended if it takes too long
 * @param {Answer} answer
 * @param {number} patienceMs
 * @param {(told: string) => void} onHang
 */
function answerMessages(child, answer, patienceMs, onHang) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  child.on('message', async () => {
    clearTimeout(timer);
    const told = await answer();
    if (!child.connected) return;
    child.send({ answer: told });
    if (told === undefined || patienceMs === Infinity) return;
    timer = setTimeout(() => {
      onHang(told);
      // So it can end what it has started.
      child.kill();
      timer = setTimeout(() => child.kill('SIGKILL'), END_MS);
    }, patienceMs);
  });
  child.once('close', () => clearTimeout(timer));
}
