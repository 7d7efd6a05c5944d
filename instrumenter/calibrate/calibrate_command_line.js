import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { CALIBRATION_VARIABLE } from '../budget/calibrating.js';
import { openOnLoopback } from '../serving/loopback.js';
import { Counts } from './counts.js';

/** A page reports what was called since its last report. */
const LARGEST_REPORT = 50_000_000;

/**
 * Runs a command, such as a project's browser tests, that builds with polyprof and opens the pages; collects what they count.
 * @param {string[]} command
 * @returns {Promise<{calibration: import('../budget/calibration.js').Calibration | null, status: number}>} null: nothing was counted;
 *   `status`: of the command
 */
export async function calibrateCommand(command) {
  const counts = new Counts();
  const path = `/${randomBytes(16).toString('hex')}`;
  const server = createServer(async (request, response) => {
    const isReport = request.method === 'POST' && request.url === path;
    const body = await bodyOf(request).catch(() => undefined);
    // It broke off: its page was left.
    if (!body) return;
    const isGood = isReport && body.length <= LARGEST_REPORT && counts.add(body);
    response.writeHead(isGood ? 204 : 400, {
      'Access-Control-Allow-Origin': '*',
      'Cross-Origin-Resource-Policy': 'cross-origin',
    });
    response.end();
  });
  const { port, close } = await openOnLoopback(server);
  try {
    const env = { ...process.env, [CALIBRATION_VARIABLE]: `http://127.0.0.1:${port}${path}` };
    const child = spawn(command[0], command.slice(1), { stdio: 'inherit', env });
    const status = await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => resolve(code ?? 1));
    });
    const calibration =
      counts.size === 0
        ? null
        : counts.calibration('estimated', ([, , , nsPerCall, calls]) => (nsPerCall * calls) / 1000);
    return { calibration, status };
  } finally {
    await close();
  }
}

/** @param {import('node:http').IncomingMessage} request @returns {Promise<Buffer>} of what is too long, more than LARGEST_REPORT; rejects when it breaks off */
async function bodyOf(request) {
  const parts = [];
  let length = 0;
  for await (const part of request) {
    if (length <= LARGEST_REPORT) parts.push(part);
    length += part.length;
  }
  return Buffer.concat(parts);
}
