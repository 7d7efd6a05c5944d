import vm from 'node:vm';
import { makeRealm } from '../instrumenter/lib/realm.js';

/** @import { Form } from './forms.js' */

/**
 * A realm with what test262 asks of its host, but for agents.
 * @param {Form} form
 * @param {(line: string) => void} print
 * @returns {vm.Context}
 */
export function makeHost(form, print) {
  const { context } = makeRealm(form.hook);
  const run = (/** @type {string} */ code) => vm.runInContext(code, context);
  context.print = (/** @type {unknown} */ line) => print(String(line));
  context.$262 = {
    global: run('globalThis'),
    createRealm: () => makeHost(form, print).$262,
    detachArrayBuffer: (/** @type {ArrayBuffer} */ buffer) =>
      void structuredClone(buffer, { transfer: [buffer] }),
    evalScript: run,
    gc() {},
    agent: {},
  };
  if (form.changesText) run(OTHER_TEXT);
  return context;
}

/** No two functions have the same text any more, as with probes. */
const OTHER_TEXT = `{
  const { toString } = Function.prototype;
  const { apply } = Reflect;
  const ids = new WeakMap();
  const idOf = (f) => ids.get(f) ?? (ids.set(f, Math.random()), ids.get(f));
  const other = { toString() { return \`\${apply(toString, this, [])}/*\${idOf(this)}*/\`; } }.toString;
  Object.defineProperty(Function.prototype, 'toString', { value: other });
}`;
