import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { windowsCommandLine } from './windows_command_line.js';

/** Environment variable of a command: the address that it is to open. */
const URL_VARIABLE = 'POLYPROF_URL';

/**
 * What is recorded, from when the page has loaded to its end.
 * @param {{page: any, command: string[], env: NodeJS.ProcessEnv, flow: import('./flow.js').Flow | null, start: string, browser: string, headed: boolean, seconds: number}} options `env`: of the command; `start`: address of the page
 * @throws what the script throws; an `Error` when the command fails
 */
export async function act({ page, command, env, flow, start, browser, headed, seconds }) {
  if (command.length > 0) await commandEnded(command, { ...env, [URL_VARIABLE]: start });
  else if (flow) await flow(page, { url: start, browser });
  else if (headed) await enterPressed('recording', closed(page));
  else if (browser === 'any') await enterPressed(`open ${start} in any browser`, once(process, 'SIGINT'));
  else await new Promise((done) => setTimeout(done, seconds * 1000));
}

/** Where its driver tells. @param {any} page */
const closed = (page) => new Promise((resolve) => page.once?.('close', resolve));

/** @param {string} what is to be done or goes on until then @param {Promise<unknown>} ended what ends it, too */
async function enterPressed(what, ended) {
  console.error(`${what}; press Enter here to end`);
  const lines = createInterface({ input: process.stdin });
  await Promise.race([once(lines, 'line'), once(lines, 'close'), ended]);
  lines.close();
}

/** @param {string[]} command @param {NodeJS.ProcessEnv} env @throws {Error} it failed */
async function commandEnded(command, env) {
  const [program, ...args] = command;
  const options = /** @type {const} */ ({ stdio: 'inherit', env });
  const child =
    process.platform === 'win32'
      ? spawn(windowsCommandLine(command), { ...options, shell: true })
      : spawn(program, args, options);
  // It gets Ctrl+C, too; what was recorded until it has ended is kept.
  const goOn = () => {};
  process.on('SIGINT', goOn);
  const [status, signal] = await once(child, 'close').catch(({ message }) => {
    throw new Error(`the command cannot be started: ${message}`);
  });
  process.off('SIGINT', goOn);
  if (status !== 0) throw new Error(`${program} ended with ${signal ?? `status ${status}`}`);
}
