import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openOnLoopback } from '../../instrumenter/serving/loopback.js';
import { temporaryFolder } from '../../web-test/lib/children.js';
import { runCommand } from '../../web-test/lib/run_command.js';

/** Ctrl+C ends a recording that somebody else's browser makes, and keeps it; the browser is played by Node. */

const { path: folder, release } = temporaryFolder();
const app = await openOnLoopback(
  createServer((_, response) =>
    response.setHeader('content-type', 'text/html').end('<script>function f() {}</script>'),
  ),
);
const origin = `http://127.0.0.1:${app.port}`;
after(async () => {
  await app.close();
  release();
});

/** Its text is a command's, too. @param {string} url of the page */
async function visit(url) {
  const page = await fetch(url, { headers: { 'sec-fetch-dest': 'document' } });
  const [, id] = /ready-(\d+)/.exec(await page.text()) ?? [];
  const trace = {
    resources: [url],
    frames: [{ name: 'f', resourceId: 0, line: 1, column: 1 }],
    stacks: [{ frameId: 0 }],
    samples: [{ timestamp: 1, stackId: 0 }],
  };
  const outcome = { trace, url, mode: 'flag', losses: {}, sampleInterval: 1, userAgent: '', timeOrigin: 0 };
  await fetch(new URL(`/__polyprof__/told-${id}`, url), {
    method: 'POST',
    body: JSON.stringify({ ...outcome, scripts: 1, blocked: [] }),
  });
}

test('Ctrl+C ends the recording of any browser, and what was recorded is kept', async () => {
  const out = join(folder, 'any');
  /** @type {Promise<void> | undefined} */
  let visited;
  const { status, output } = await runCommand([origin, '--browser', 'any', '-o', out], {
    cwd: folder,
    onOutput(output, child) {
      const url = /open (http:\S+) in any browser/.exec(output)?.[1];
      if (url) visited ??= visit(url).finally(() => child.kill('SIGINT'));
    },
  });
  await visited;
  assert.equal(status, 0, output);
  assert.ok(existsSync(join(out, 'profile.trace.json')), output);
});

test('Ctrl+C during a command ends the command, and what was recorded by then is kept', async () => {
  const script = join(folder, 'command.mjs');
  writeFileSync(
    script,
    `process.on('SIGINT', () => process.exit(0));
     setInterval(() => {}, 1000);
     await (${visit})(process.env.POLYPROF_URL);
     console.log('pid ' + process.pid);`,
  );
  const out = join(folder, 'command');
  let isInterrupted = false;
  const { status, output } = await runCommand([origin, '-o', out, '--', process.execPath, script], {
    cwd: folder,
    onOutput(output, child) {
      const pid = /pid (\d+)\n/.exec(output)?.[1];
      if (!pid || isInterrupted) return;
      isInterrupted = true;
      // As a terminal does.
      child.kill('SIGINT');
      process.kill(Number(pid), 'SIGINT');
    },
  });
  assert.equal(status, 0, output);
  assert.ok(existsSync(join(out, 'profile.trace.json')), output);
});
