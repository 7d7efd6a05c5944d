import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const RUN = fileURLToPath(new URL('../../scripts/lib/run.js', import.meta.url));

/** @param {string} code that has `run`, `say` and `inBackground` @returns {string} what it wrote */
function written(code) {
  const script = `import { inBackground, run, say } from ${JSON.stringify(RUN)}; ${code}`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
  });
  assert.equal(stderr, '');
  return stdout;
}

const policy = `run('bash', ['-c', 'chrt --pid $$ | head -1'])`;

test('what runs in the background gets what others leave, and is shown when all of it has ended', () => {
  const text = written(`
    let isOver;
    const background = inBackground(async () => {
      say('first');
      await ${policy};
      await new Promise((resolve) => (isOver = resolve));
      say('last');
    });
    await ${policy};
    say('in front');
    while (!isOver) await new Promise((resolve) => setImmediate(resolve));
    isOver();
    await background;
  `);
  assert.match(text, /^pid .*: SCHED_\w+\nin front\nfirst\npid .*: SCHED_IDLE\nlast\n$/);
});

test('what a task in the background has written is also shown if it fails', () => {
  const text = written(`
    await inBackground(async () => {
      say('begun');
      await run('bash', ['-c', 'echo told; exit 3']);
    }).catch((error) => say(error.message));
  `);
  assert.equal(text, 'begun\ntold\nbash -c echo told; exit 3: exit code 3\n');
});
