import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const CLI = fileURLToPath(new URL('../../instrumenter/cli.js', import.meta.url));

/**
 * `polyprof run`, as its users start it, on a machine without a display.
 * @param {string[]} args
 * @param {{cwd: string, env?: Record<string, string>, onOutput?: (output: string, child: import('node:child_process').ChildProcessWithoutNullStreams) => void}} options
 *   `onOutput` gets all that was written so far
 * @returns {Promise<{status: number | null, output: string}>}
 */
export function runCommand(args, { cwd, env, onOutput = () => {} }) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [CLI, 'run', ...args], {
      cwd,
      env: { ...process.env, DISPLAY: '', WAYLAND_DISPLAY: '', ...env },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data) => onOutput((output += data), child));
    child.on('error', reject);
    child.on('close', (status) => resolve({ status, output }));
  });
}
