import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import vm from 'node:vm';
import { build } from 'esbuild';
import { instrument } from '../../instrumenter/instrument.js';
import { allTasks, makeRealm, shadowOf } from './lib/realm.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const source = (/** @type {string} */ path) => readFileSync(`${ROOT}${path}`, 'utf8');

/**
 * Real work of real packages: modules whose `input` is a global and that set the global `output`, to a text or a promise of one.
 * @type {Record<string, {code: string, input: string}>}
 */
const WORK = {
  'Babel parses itself': {
    code: `import { parse } from '@babel/parser';
      output = JSON.stringify(parse(input, { errorRecovery: true, tokens: true }), (key, value) => typeof value === 'bigint' ? String(value) : value);`,
    input: source('node_modules/@babel/parser/lib/index.js'),
  },
  'Prettier formats code of this project': {
    code: `import { format } from 'prettier/standalone'; import * as babel from 'prettier/plugins/babel'; import * as estree from 'prettier/plugins/estree';
      output = format(input, { parser: 'babel', plugins: [babel, estree], printWidth: 60 });`,
    input: source('instrumenter/collect.js'),
  },
  'parse5 reads and writes a page': {
    code: `import { parse, serialize } from 'parse5';
      const page = parse(input, { sourceCodeLocationInfo: true }); let nodes = 0;
      (function count(node) { nodes++; for (const child of node.childNodes ?? []) count(child); })(page);
      output = nodes + serialize(page);`,
    input:
      source('docs/design.md').replaceAll('|', '<td title=x>').replaceAll('#', '</table><p><b><i>') +
      '<table><a><script>',
  },
  'ajv compiles a schema and finds what is wrong': {
    code: `import Ajv from 'ajv'; import meta from 'ajv/lib/refs/json-schema-draft-07.json';
      const validate = new Ajv({ allErrors: true, logger: false }).compile(meta); const schema = JSON.parse(input);
      output = [{}, schema, { type: 'x', properties: 1 }, []].map((data) => JSON.stringify([validate(data), validate.errors])).join();`,
    input: source('package.json'),
  },
};

for (const [title, { code, input }] of Object.entries(WORK)) {
  test(`with probes in all functions, ${title}, as it does without`, async () => {
    const bundled = await bundle(code);
    const plain = await run(bundled, input, 'none');
    assert.ok(plain.output.length > 300, plain.output);
    const { code: probed, summary } = instrument(bundled, { minWeight: 0, sourceMap: false });
    assert.ok(summary.probed > 100, `${summary.probed} functions`);
    for (const mode of /** @type {const} */ (['none', 'always'])) {
      const { output, points } = await run(probed, input, mode);
      assert.equal(digest(output), digest(plain.output));
      if (mode === 'always') assert.ok(points > 10_000, `${points} checks`);
    }
    for (const minWeight of [0, 10]) {
      const { code: shadowed } = instrument(bundled, { probe: 'shadow', minWeight, sourceMap: false });
      for (const mode of /** @type {const} */ (['none', 'never'])) {
        const { output, shadow } = await run(shadowed, input, mode);
        assert.equal(digest(output), digest(plain.output));
        assert.equal(shadow?.depth, 1, 'nothing runs any more');
        assert.ok(Number(shadow?.nextId) > 100);
      }
    }
  });
}

/** @param {string} contents of a module @returns {Promise<string>} a classic script */
async function bundle(contents) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: ROOT },
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    logLevel: 'error',
    define: { process: 'undefined' },
  });
  return outputFiles[0].text;
}

/** @param {string} code @param {string} input @param {import('./lib/realm.js').HookMode} mode */
async function run(code, input, mode) {
  const { context, outcome } = makeRealm(mode);
  Object.assign(context, { input, output: '' });
  vm.runInContext(code, context, { filename: 'bundle.js' });
  const output = String(await context.output);
  await allTasks();
  return { output, points: outcome.points, shadow: shadowOf(context) };
}

/** @param {string} text */
function digest(text) {
  return `${text.length} ${createHash('sha256').update(text).digest('hex')}`;
}
