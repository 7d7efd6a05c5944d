import assert from 'node:assert/strict';
import { test } from 'node:test';
import { windowsCommandLine } from '../../testing/run/windows_command_line.js';

for (const [command, line] of /** @type {[string[], string][]} */ ([
  [['npx', 'wdio', 'run', '.\\wdio.conf.js'], 'npx wdio run .\\wdio.conf.js'],
  [['npm', 'test', '--', '--grep', 'a | b & c'], 'npm test -- --grep "a | b & c"'],
  [['C:\\My Tools\\run.cmd', ''], '"C:\\My Tools\\run.cmd" ""'],
  [['node', '-e', 'say("a\\n")', 'C:\\my folder\\'], 'node -e "say(""a\\n"")" "C:\\my folder\\\\"'],
  [['./node_modules/.bin/wdio', './wdio.conf.js'], '.\\node_modules\\.bin\\wdio ./wdio.conf.js'],
  [['C:/My Tools/run.cmd', '/s'], '"C:\\My Tools\\run.cmd" /s'],
  [['echo', 'a\\"b'], 'echo "a\\\\""b"'],
])) {
  test(`on Windows, the command ${JSON.stringify(command)} is ${line}`, () => {
    assert.equal(windowsCommandLine(command), line);
  });
}
