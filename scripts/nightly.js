import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { PROBE_KINDS } from '../instrumenter/options.js';
import { compareOwnTests } from './lib/own_tests.js';
import { run } from './lib/run.js';

/**
 * npm run nightly [-- --only traces,programs,packages,babel8,line] [--programs N] [--seed N]: what takes too long for `npm test`.
 * Another seed makes other programs; without one it is the day's.
 */

const CLI = fileURLToPath(new URL('../instrumenter/cli.js', import.meta.url));

const { values } = parseArgs({
  options: { only: { type: 'string' }, programs: { type: 'string' }, seed: { type: 'string' } },
});
const { programs = '20000', seed = String(Math.floor(Date.now() / 86_400_000)) } = values;

/** Packages whose tests are in what npm has of them: they come from the registry, by exact versions. */
const PACKAGES = [
  'minimist@1.2.8',
  'qs@6.17.1',
  'traverse@0.6.11',
  'jsonparse@1.3.1',
  'fast-uri@4.2.3',
  'json-stable-stringify@1.3.0',
  'glob-to-regexp@0.4.1',
];
const THEIR_TESTS_NEED = [
  'tape@5.10.2',
  'ajv@8.17.1',
  'es-value-fixtures@1.7.1',
  'safer-buffer@2.1.2',
  'object-inspect@1.14.0',
  'mock-property@1.1.2',
  'iconv-lite@0.7.3',
  'has-proto@1.2.0',
  'for-each@0.3.5',
  'has-symbols@1.1.0',
  'has-property-descriptors@1.0.2',
  'has-override-mistake@1.0.1',
  'has-bigints@1.1.0',
];

const BABEL_TESTS = 'test/instrumenter/babel_plugin.test.js';

/** @type {Record<string, () => unknown>} */
const PARTS = { traces: damagedTraces, programs: randomPrograms, packages: ownTests, babel8, line: longLine };

/** Ten minutes. */
function damagedTraces() {
  console.log(`files that are damaged traces, seed ${seed}`);
  return run('node', ['--test', '--test-reporter=spec', 'test/report/fuzz_reader.test.js'], {
    env: { POLYPROF_FUZZ_SECONDS: '600', POLYPROF_SEED: seed },
  });
}

function randomPrograms() {
  console.log(`${programs} random programs, seed ${seed}`);
  return run('node', ['--test', '--test-reporter=spec', 'test/instrumenter/random_programs.test.js'], {
    env: { POLYPROF_PROGRAMS: programs, POLYPROF_SEED: seed },
  });
}

function ownTests() {
  const folder = mkdtempSync(path.join(tmpdir(), 'polyprof-own-tests-'));
  try {
    writeFileSync(path.join(folder, 'package.json'), '{"private": true}');
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--silent'];
    execFileSync('npm', ['install', ...flags, ...PACKAGES, ...THEIR_TESTS_NEED], { cwd: folder });
    const modules = path.join(folder, 'node_modules');
    for (const name of PACKAGES.map((each) => each.replace(/@[^@]*$/, ''))) {
      const { tests, lines, checks, probed } = compareOwnTests(
        { name },
        modules,
        path.join(folder, 'copies'),
      );
      console.log(
        `${name}: ${tests} files of tests say the same (${lines} lines), with ${probed} functions of both kinds of probes, ${checks} checks`,
      );
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The tests of the Babel plugin with Babel 8, and the Node that it wants. */
async function babel8() {
  const folder = mkdtempSync(path.join(tmpdir(), 'polyprof-babel-'));
  try {
    writeFileSync(path.join(folder, 'package.json'), '{"private": true}');
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--silent'];
    const node = `${process.platform}-${process.arch}`;
    execFileSync('npm', ['install', ...flags, `node-${node}@22.23.3`, '@babel/core@8.1.2'], { cwd: folder });
    const babel = path.join(folder, 'node_modules/@babel/core/lib/index.js');
    await run(
      path.join(folder, `node_modules/node-${node}/bin/node`),
      ['--test', '--test-reporter=spec', BABEL_TESTS],
      {
        env: { POLYPROF_BABEL: pathToFileURL(babel).href },
      },
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** 50 MB on one line, half of it code, half of it data, as bundlers make of what is imported from JSON. */
function longLine() {
  const folder = mkdtempSync(path.join(tmpdir(), 'polyprof-long-line-'));
  const code =
    'function f(a){for(const x of a)if(x>1){g(x);h(x);i(x,"some text")}return a.map(g)}f([1]);'.repeat(
      280_000,
    );
  const data =
    'v={"id":123456,"name":"some name","tags":["one","two"],"text":"as long as texts are"};'.repeat(295_000);
  try {
    writeFileSync(path.join(folder, 'line.js'), code + data);
    for (const probe of PROBE_KINDS) {
      const begin = performance.now();
      const out = path.join(folder, probe);
      const args = [
        'instrument',
        path.join(folder, 'line.js'),
        '-o',
        out,
        '--probe',
        probe,
        '--min-weight',
        '0',
        '--no-cache',
      ];
      const told = execFileSync(process.execPath, [CLI, ...args], { encoding: 'utf8' });
      const seconds = ((performance.now() - begin) / 1000).toFixed(0);
      const output = readFileSync(path.join(out, 'line.js'), 'utf8');
      if (output.includes('\n') || !told.includes('280001 of 280001 functions')) throw new Error(told);
      console.log(
        `${probe}: ${((code.length + data.length) / 1e6).toFixed(0)} MB on one line in ${seconds} s`,
      );
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const names = values.only?.split(',') ?? Object.keys(PARTS);
for (const name of names) {
  if (!PARTS[name]) {
    console.error(`no part is called ${name}: ${Object.keys(PARTS).join(', ')}`);
    process.exit(2);
  }
}
let failed = 0;
for (const name of names) {
  console.log(`\n=== ${name}\n`);
  try {
    await PARTS[name]();
  } catch (error) {
    failed++;
    console.error(`${name} FAILED: ${/** @type {Error} */ (error).message}`);
  }
}
process.exitCode = failed > 0 ? 1 : 0;
