import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import vm from 'node:vm';
import { SourceError } from '../../instrumenter/source_error.js';
import { makeHost } from './host.js';
import { moduleLoader } from './modules.js';

/** @import { Form } from './forms.js' */

/**
 * As test262-stream has it.
 * @typedef {object} Test262
 * @property {string} file relative to the checkout
 * @property {string} contents
 * @property {string} scenario
 * @property {{flags: Record<string, true>, includes: string[], negative?: {phase: string}}} attrs
 */

/** How long an asynchronous test, and a loop, may take. */
const ASYNC_MS = 2000;
const LOOP_MS = 20_000;

/** The instrumenter's parser did not take the script. */
export const REFUSED = 'refused';

/**
 * @param {Test262} test
 * @param {Form} form
 * @param {string} checkout of test262
 * @returns {Promise<string>} `completed`, or what it ended with: the name of the error, `timeout` or `refused`. No messages, which may hold functions' text
 */
export async function outcomeOf({ file, contents, attrs }, form, checkout) {
  const { flags, includes, negative } = attrs;
  /** @type {(line: string) => void} */
  let print = () => {};
  const answer = new Promise((resolve) => (print = resolve));
  const context = makeHost(form, print);
  const sourceType = flags.module ? 'module' : 'script';
  const { run, importFrom } = moduleLoader(context, (code) => preparedModule(code, form));
  const path = join(checkout, file);
  try {
    if (!flags.raw) {
      const async = flags.async ? ['doneprintHandle.js'] : [];
      for (const name of ['assert.js', 'sta.js', ...async, ...includes])
        harness(checkout, name).runInContext(context);
    }
    if (sourceType === 'module') await run(path);
    else {
      const importModuleDynamically = /** @type {any} */ (importFrom(path));
      const script = new vm.Script(form.prepare(contents, sourceType), { importModuleDynamically });
      script.runInContext(context, { timeout: LOOP_MS });
    }
  } catch (error) {
    if (error instanceof SourceError) return REFUSED;
    return nameOf(error);
  }
  if (!flags.async || negative) return 'completed';
  const line = await Promise.race([answer, timeout()]);
  return line === 'Test262:AsyncTestComplete' ? 'completed' : line.split(':', 3).slice(1).join(':');
}

/** What does not parse is left as it is: its error is the engine's, and may be what a test is about. @param {string} code @param {Form} form @returns {string} */
function preparedModule(code, form) {
  try {
    return form.prepare(code, 'module');
  } catch (error) {
    if (error instanceof SourceError) return code;
    throw error;
  }
}

/** @type {Map<string, vm.Script>} */
const scripts = new Map();

/** @param {string} checkout @param {string} name */
function harness(checkout, name) {
  const script = scripts.get(name) ?? new vm.Script(readFileSync(join(checkout, 'harness', name), 'utf8'));
  scripts.set(name, script);
  return script;
}

/** @returns {Promise<string>} */
function timeout() {
  return new Promise((resolve) => setTimeout(resolve, ASYNC_MS, ':timeout').unref());
}

/** @param {any} error of any realm, or anything else @returns {string} */
function nameOf(error) {
  try {
    return String(error?.constructor?.name ?? error);
  } catch {
    return 'an error that cannot be named';
  }
}
