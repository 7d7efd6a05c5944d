import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { instrument } from '../../instrumenter/instrument.js';
import { quietOptions } from './lib/quiet_options.js';
import { PROBES_AND_HOOKS, runScript } from './lib/realm.js';
import { runModule } from './lib/run_module.js';

/** Each program logs what it does. It must do the same with probes, whatever the hook says. */
const SCRIPTS = new URL('./fixtures/scripts/', import.meta.url);
const MODULES = new URL('./fixtures/modules/', import.meta.url);

for (const name of readdirSync(SCRIPTS).sort()) {
  test(`a script does the same with probes: ${title(name)}`, async () => {
    const code = readFileSync(new URL(name, SCRIPTS), 'utf8');
    await assertSame([name], (edit, mode) => runScript(edit(code, name), mode));
  });
}

for (const name of readdirSync(MODULES).sort()) {
  test(`a module does the same with probes: ${title(name)}`, async () => {
    const files = Object.fromEntries(
      readdirSync(new URL(`${name}/`, MODULES)).map((file) => [
        file,
        readFileSync(new URL(`${name}/${file}`, MODULES), 'utf8'),
      ]),
    );
    await assertSame(Object.keys(files), (edit, mode) => {
      const edited = Object.entries(files).map(([file, code]) => [file, edit(code, file)]);
      return runModule(Object.fromEntries(edited), 'main.mjs', mode);
    });
  });
}

/**
 * @param {string[]} names files
 * @param {(edit: (code: string, file: string) => string, mode?: import('./lib/realm.js').HookMode) =>
 *   Promise<import('./lib/realm.js').Outcome>} run
 */
async function assertSame(names, run) {
  const plain = await run((code) => code);
  assert.ok(plain.log.length > 1, 'the program logs what it does');
  assert.deepEqual([plain.points, plain.shadow], [0, undefined]);
  for (const minWeight of [0, 3]) {
    for (const { probe, mode, quiet } of PROBES_AND_HOOKS) {
      const probed = await run((code, file) => {
        const options = { file, probe, minWeight };
        return instrument(code, quiet ? quietOptions(code, options) : options).code;
      }, mode);
      const variant = `${probe}${quiet ? ', quiet' : ''}, ${mode}`;
      assert.deepEqual(probed.log, plain.log, `${names}, minWeight ${minWeight}, ${variant}`);
      if (probe === 'shadow') {
        const { depth, nextId } = probed.shadow ?? { depth: 0, nextId: 0 };
        assert.ok(nextId > 1, 'it has probes');
        if (!/threw/.test(plain.log.at(-1) ?? '')) assert.equal(depth, 1, 'nothing runs any more');
      } else if (minWeight === 0 && mode === 'always') {
        assert.ok(probed.points > 1, 'it has probes');
      }
    }
  }
}

/** @param {string} file */
function title(file) {
  return file.replace(/\.js$/, '').replaceAll('_', ' ');
}

test('a script that begins with thousands of comments is instrumented as any other', () => {
  const comments = '/***/ /* a */\n'.repeat(5000);
  const { code } = instrument(`${comments}function f() { return g() }`, { minWeight: 0 });
  assert.ok(code.startsWith('var __ppH='));
  assert.ok(code.includes(`${comments}function f() {`));
});

test('a script whose function takes the place of a global that the prelude needs stays as it is', async () => {
  for (const name of ['Int8Array', 'Int32Array', 'SharedArrayBuffer', 'Error']) {
    const code = `function ${name}() { log('called') } function f() { return g() } function g() { return 1 } log(f())`;
    for (const probe of ['flag', 'shadow']) {
      const { code: built, summary } = instrument(code, { probe, minWeight: 0, sourceType: 'script' });
      assert.deepEqual((await runScript(built)).log, (await runScript(code)).log);
      assert.equal(summary.skipped['no way to the global object'], 4);
    }
    // In a module it takes nobody's place.
    assert.notEqual(instrument(code, { minWeight: 0, sourceType: 'module' }).code, code);
  }
});
