import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Command } from 'commander';
import { WORKLOADS } from '../workloads/build.js';
import { count, engineNames, fileName, parseOptions, positive, someOf } from './options.js';

const SETTINGS = {
  pairs: count('how many', 5),
  scale: positive('how much', 0.3),
  engines: engineNames(),
  workloads: someOf('which', WORKLOADS),
  out: fileName('where', 'overhead'),
};

/** @param {string[]} args */
function parse(args) {
  const program = new Command('bench').exitOverride().configureOutput({ writeErr: () => {} });
  return parseOptions(program, SETTINGS, args);
}

/** @type {[string[], string][]} arguments, and what is said about them */
const MISTAKES = [
  [['--pairs', '0'], "option '--pairs <n>' argument '0' is invalid. It must be a whole number, 1 or more."],
  [
    ['--pairs', '2.5'],
    "option '--pairs <n>' argument '2.5' is invalid. It must be a whole number, 1 or more.",
  ],
  [['--scale', '-1'], "option '--scale <x>' argument '-1' is invalid. It must be a number above 0."],
  [['--scale', ''], "option '--scale <x>' argument '' is invalid. It must be a number above 0."],
  [
    ['--engines', 'chromium,opera'],
    "option '--engines <a,b>' argument 'chromium,opera' is invalid. There is no 'opera': it takes chromium, firefox, webkit.",
  ],
  [
    ['--workloads', 'octane'],
    "option '--workloads <a,b>' argument 'octane' is invalid. There is no 'octane': it takes typescript, planck, marked, preact, objects, recursion, todomvc, startup.",
  ],
  [
    ['--out', '../figures'],
    "option '--out <name>' argument '../figures' is invalid. It must be a name for files, without a folder.",
  ],
  [['--no-such-thing'], "unknown option '--no-such-thing'"],
  [['more'], 'too many arguments. Expected 0 arguments but got 1.'],
];

for (const [args, reason] of MISTAKES) {
  test(`a value that cannot be is refused with what can: ${args.join(' ')}`, () => {
    assert.throws(() => parse(args), { message: `error: ${reason}` });
  });
}

test('values are numbers and lists in the order of what is known, and what is not given is as usual', () => {
  assert.deepEqual(parse(['--pairs', '3', '--workloads', 'marked,typescript', '--engines', 'webkit']), {
    pairs: 3,
    scale: 0.3,
    engines: ['webkit'],
    workloads: ['typescript', 'marked'],
    out: 'overhead',
  });
});
