import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import vm from 'node:vm';
import fc from 'fast-check';
import { instrument } from '../../instrumenter/instrument.js';
import { COUNTDOWN } from '../../polyfill/hook/flags.js';
import { readFunctionTable } from '../../report/symbols/read_function_table.js';
import { innermostAt } from '../wasm/tables.js';
import { randomForms } from './lib/random_forms.js';
import { allTasks } from './lib/realm.js';

const FILE = 'script.js';
const FORMS = readFileSync(
  new URL('../../web-test/fixtures/stack_text/site/classic.js', import.meta.url),
  'utf8',
);

/**
 * Runs a script with the flag raised at every check, and looks up in its table each frame that V8 then has, by where its call is and by where its function begins.
 * @param {string} code
 * @returns {Promise<number>} how many frames there were
 */
async function lookUpFrames(code) {
  const { code: probed, table } = instrument(code, { file: FILE, minWeight: 0, sourceType: 'script' });
  const { functions } = readFunctionTable(/** @type {Uint8Array} */ (table));
  let frames = 0;
  /** @type {string[]} */
  const wrong = [];
  /** @param {any} site */
  const lookUp = (site) => {
    frames++;
    const byCall = innermostAt(functions, site.getLineNumber(), site.getColumnNumber());
    const byStart = innermostAt(
      functions,
      site.getEnclosingLineNumber(),
      site.getEnclosingColumnNumber(),
      true,
    );
    if (byCall !== byStart) wrong.push(`${site}: ${JSON.stringify([byCall, byStart])}`);
  };
  const check = () => {
    f[COUNTDOWN] = 1;
    const { prepareStackTrace } = Error;
    Error.prepareStackTrace = (_, sites) => sites;
    const sites = /** @type {any[]} */ (/** @type {unknown} */ (new Error().stack));
    Error.prepareStackTrace = prepareStackTrace;
    sites
      .filter((site) => site.getFileName() === FILE && !site.isEval() && !isInitializer(site))
      .forEach(lookUp);
  };
  const f = new Int8Array(64).fill(1);
  const hook = { v: 1, f, s: [], e: check, l: check, r: check, [Symbol.toPrimitive]: check };
  const context = vm.createContext({ log() {}, record: check, __polyprof__: hook });
  try {
    vm.runInContext(probed, context, { filename: FILE });
    if (context.recordAll) await context.recordAll().catch(() => {});
  } catch {
    // What a random program throws is its own business.
  }
  await allTasks();
  assert.deepEqual(wrong, []);
  return frames;
}

/** They have no probes, and are left out. @param {any} site */
const isInitializer = (site) => site.getFunctionName()?.startsWith('<');

test('of each frame V8 says where its call is, and where its function begins, and both are in one function of the table', async () => {
  let frames = await lookUpFrames(FORMS);
  assert.ok(frames > 200, `${frames} frames`);
  const forms = fc
    .array(fc.nat(10_000), { minLength: 40, maxLength: 400, size: 'max' })
    .map((choices) => randomForms(choices).code);
  await fc.assert(
    fc.asyncProperty(forms, async (code) => {
      frames += await lookUpFrames(code);
    }),
    { seed: 20240917, numRuns: 200 },
  );
  assert.ok(frames > 10_000, `${frames} frames`);
});
