import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import vm from 'node:vm';
import { transformSync } from 'esbuild';
import { FunctionFlag } from '../../instrumenter/tables/function_table.js';
import { instrument } from '../../instrumenter/instrument.js';
import { readFunctionTable } from '../../report/symbols/read_function_table.js';
import { temporaryFolder } from '../../web-test/lib/children.js';

const { path: folder, release } = temporaryFolder();
after(release);

/** Each hands the text of `job` to somebody. @type {Record<string, string>} */
const TAKEN = {
  'a worker from a template': 'new Worker(URL.createObjectURL(new Blob([`(${job})()`])))',
  'a worker from a sum': `new Blob(['onmessage=', job, ';'], { type: 'text/javascript' })`,
  'a variable between': 'const text = "(" + job + ")()"; new Blob([text])',
  toString: 'run("(" + job.toString() + ")()")',
  'the toString of all functions': 'run(Function.prototype.toString.call(job))',
  String: 'run(String(job))',
  'a module of a list with holes':
    'const modules = [, , () => 1, , function () { const own = job; run(String(own)) }, ,]; modules[4]()',
  'an address': 'new Worker("data:text/javascript," + encodeURIComponent("(" + job + ")()"))',
  'parts in a variable': "const parts = ['(', job, ')()']; new Blob(parts)",
  'parts that are joined': "const parts = ['(', job, ')()']; new Blob([parts.join('')])",
  'an argument': "function spawn(f) { new Blob(['(' + f + ')()']) } spawn(job)",
  'an argument, by toString': "function spawn(f) { new Blob(['(' + f.toString() + ')()']) } spawn(job)",
  'an argument, by String': 'const spawn = (f) => new Blob([`(${String(f)})()`]); spawn(job)',
  'an argument, in a variable':
    "function spawn(f) { const code = '(' + f + ')()'; return new Blob([code]) } spawn(job)",
  'an argument of a class':
    'class Spawned { constructor(f) { this.blob = new Blob([`(${f})()`]) } } new Spawned(job)',
  'an argument of an older class':
    "var Spawned = function (f) { this.blob = new Blob(['(' + f + ')()']) }; new Spawned(job)",
  'if it is there': 'run(job?.toString())',
  'a template alone': 'run(`${job}`)',
  'a function from text': "run(new Function('return ' + job))",
  'a Blob of the global object': "new self.Blob(['onmessage=', job])",
  'the String of the global object': 'run(window.String(job))',
  'one of two': 'run(String(fast ? job : null))',
  'one if the other is missing': 'run(String(given || job))',
  'a member': "const jobs = { job }; new Blob(['(' + jobs.job + ')()'])",
  'a member that a class gets': "class Loader {} Loader.job = job; new Blob(['(' + Loader.job + ')()'])",
  'a static field': 'class Loader { static job = job; static load() { run(Loader.job.toString()) } }',
  'another realm': "frame.contentWindow.eval('(' + job + ')()')",
  'a template for somebody': 'run(`onmessage = ${job};`)',
  'an empty text': "run(job + '')",
  'a function around': 'function start() { if (ready) { return job.toString() } } start()',
};

/** @param {string} code */
function probed(code) {
  const result = instrument(code, { minWeight: 0 });
  const { functions } = readFunctionTable(/** @type {Uint8Array} */ (result.table));
  const names = functions.filter(
    ({ flags }) => flags & FunctionFlag.PROBED && !(flags & FunctionFlag.TOP_LEVEL),
  );
  return { ...result, names: names.map(({ name }) => name) };
}

for (const [title, use] of Object.entries(TAKEN)) {
  test(`a function whose text is taken has no probes, with what is in it, and that is told: ${title}`, () => {
    const code = `function job() { const inner = () => f(); inner() }\nfunction other() { f() }\n${use}`;
    const { names, summary } = probed(code);
    assert.ok(!names.includes('job') && !names.includes('inner') && names.includes('other'), names.join());
    assert.deepEqual(
      summary.warnings.map(({ message, line }) => [message, line]),
      [[`the function 'job' is turned into text here, as for a worker: it has no probes`, 3]],
    );
  });
}

test('a function that another name hides, or something that is no function, is not meant', () => {
  for (const code of [
    'function job() { f() } function g(job) { return job.toString() }',
    'function job() { f() } function g() { var { job } = h(); return `${new Blob([job])}` }',
    'function job() { f() } { let job = 1; String(job) }',
    'function job() { f() } function g() { try { var job } catch {} job = []; return new Blob(job) }',
    'function job() { f() } function g() { if (x) { var { job } = h() } return String(job) }',
    'function job() { f() } try { g() } catch (job) { job.toString() }',
    'function job() { f() } for (const job of list) job.toString()',
    'function job() { f() } [1].map((job) => job.toString())',
    'function job() { f() } job.toString(2); a.job.toString(); `${job()}`',
    'const n = 5; function job() { f() } n.toString()',
    'function job() { f() } x = "it is " + job() + "."; y = job + 1; z = `${job.name}`',
    'function job() { f() } function g(job) { return "(" + job + ")" } g(5)',
    'function job() { f() } schema.String(job); new files.Blob([job]); new Type.Function(job)',
  ]) {
    const { names, summary } = probed(code);
    assert.ok(names.includes('job'), code);
    assert.deepEqual(summary.warnings, [], code);
  }
});

test('function expressions, classes, arrow functions in variables and hoisted functions are found', () => {
  for (const code of [
    'const job = () => { f() }; job.toString()',
    'var job = function () { f() }; function g() { return `${1}` + String(job) }',
    'class job { m() { f() } } String(job)',
    '(function job() { f() }).toString()',
    "const o = { job() { f() } }; new Blob(['({' + o.job + '})'])",
    "const spawn = (a, f) => new Blob(['(' + f + ')()']); spawn(1, () => { f() })",
    'export function job() { f() } new Blob([`${job}`])',
    'function g() { return new Blob([job]); function job() { f() } } g()',
    'function g() { if (x) { var job = function () { f() } } return job.toString() }',
    'switch (x) { case 1: function job() { f() } job.toString() }',
    'function g() { var job; function job() { f() } return String(job) }',
  ]) {
    const { summary } = instrument(code, { minWeight: 0 });
    assert.equal(summary.warnings.length, 1, code);
    assert.ok(summary.skipped['turned into text'] > 0, code);
  }
});

test('what was turned into text runs where nothing of the page is', () => {
  const { code } = instrument(
    'function job(n) { const twice = () => n * 2; return twice() } text = `(${job})(4)`; String(job)',
    {
      minWeight: 0,
      sourceType: 'script',
    },
  );
  const context = vm.createContext({ text: '' });
  vm.runInContext(code, context);
  assert.equal(vm.runInNewContext(context.text), 8);
});

const require = createRequire(import.meta.url);
const FFLATE = readFileSync(require.resolve('fflate'), 'utf8');
const MINIFIED = transformSync(FFLATE, { minify: true }).code;

for (const probe of ['flag', 'shadow']) {
  for (const [how, code] of Object.entries({
    'as it is': FFLATE,
    minified: MINIFIED,
    // As Terser writes it.
    'minified more': MINIFIED.replace(/=(\w+)\.toString\(\)/g, '=""+$1'),
  })) {
    test(`fflate's workers, which get functions by the names in a list, work with ${probe} probes in all others, ${how}`, async () => {
      const built = instrument(code, { minWeight: 0, sourceType: 'script', probe });
      const file = join(folder, `${probe} ${how}.cjs`);
      writeFileSync(file, built.code);
      const fflate = require(file);
      const bytes = Uint8Array.from({ length: 500_000 }, (_, i) => (i * 7) % 251);
      const zipped = await promisify(fflate.zip)({ a: bytes, b: { c: bytes.slice(9) } });
      const { a } = await promisify(fflate.unzip)(zipped);
      assert.deepEqual(await promisify(fflate.gunzip)(await promisify(fflate.gzip)(a)), bytes);
      const stream = new fflate.AsyncDeflate();
      const part = new Promise((resolve, reject) => {
        stream.ondata = (/** @type {any} */ error, /** @type {any} */ data) =>
          error ? reject(error) : resolve(data);
      });
      stream.push(bytes, true);
      assert.ok((await part).length > 0);
      assert.ok(built.summary.probed > 30, String(built.summary.probed));
      assert.equal(built.summary.warnings.length, 1);
    });
  }
}

test("what three's KTX2Loader gives its workers, a member of its class, has no probes, minified or not", () => {
  const loader = readFileSync(require.resolve('three/examples/jsm/loaders/KTX2Loader.js'), 'utf8');
  for (const code of [loader, transformSync(loader, { minify: true, target: 'es2020' }).code]) {
    const { skipped, probed } = instrument(code, { minWeight: 0 }).summary;
    assert.equal(skipped['turned into text'], 17);
    assert.ok(probed > 17, String(probed));
  }
});

/** As webpack and webworkify-webpack make it. @param {string} use */
const bundleThat = (use) => `(function (modules) {
  function load(id) { const module = { exports: {} }; modules[id](module, module.exports, load); return module.exports }
  load.m = modules; return load(0)
})({
  0: function (module, exports, load) {
    load(1).job();
    const sources = { main: load.m };
    const text = Object.keys(sources.main).map((id) => JSON.stringify(id) + ': ' + sources.main[id].toString()).join();
    ${use}(URL.createObjectURL(new Blob(['({' + text + '})'])));
  },
  1: function (module, exports) { exports.job = function job() { return other() } }
});
function other() { return { map() { return 1 } } }`;

test('modules that a bundle hands to a worker, each behind its name, have no probes; what is outside of the bundle has', () => {
  const { names, code, summary } = probed(bundleThat('new self.Worker'));
  assert.ok(names.includes('other') && names.includes('load') && !names.includes('job'), names.join());
  assert.equal(summary.warnings.length, 1);
  /** @type {string[]} */
  const parts = [];
  class Blob {
    /** @param {string[]} text */
    constructor(text) {
      parts.push(...text);
    }
  }
  const self = { Worker: class {} };
  vm.runInNewContext(code, { self, Blob, URL: { createObjectURL() {} } });
  const modules = vm.runInNewContext(parts.join(''), { other: () => 7 });
  const exports = /** @type {any} */ ({});
  modules[1]({ exports }, exports);
  assert.equal(exports.job(), 7);
});

test('a module that writes a list of numbers into a file is no worker', () => {
  const { names, summary } = probed(bundleThat('download'));
  assert.ok(names.includes('job'), names.join());
  assert.deepEqual(summary.warnings, []);
});

test('what a parameter gives may be called and shown: without lists of functions nobody is meant', () => {
  const { names, summary } = probed(
    'function shown(f) { return f() + f.toString() } function other() { f() } const list = () => [1, other()]; shown(other)',
  );
  assert.deepEqual(names, ['shown', 'other', 'list']);
  assert.deepEqual(summary.warnings, []);
});
