import vm from 'node:vm';
import { inspect } from 'node:util';

/**
 * What runs a program and writes down what it did: a new realm with a `log` and nothing else of Node.
 *
 * @typedef {'none' | 'never' | 'always'} HookMode none: the program makes its hook; never: a hook is there, its flag never raised;
 *   always: raised at each check
 * @typedef {{log: string[], points: number}} Outcome
 */

/** @type {HookMode[]} */
export const HOOK_MODES = ['none', 'never', 'always'];

/** @param {HookMode} mode @returns {{context: vm.Context, outcome: Outcome}} */
export function makeRealm(mode) {
  /** @type {Outcome} */
  const outcome = { log: [], points: 0 };
  const point = () => void outcome.points++;
  /** @type {Record<string, unknown>} */
  const globals = {
    w() {},
    log: (/** @type {unknown[]} */ ...values) => void outcome.log.push(values.map(show).join(' ')),
  };
  if (mode !== 'none') {
    const f = new Int32Array(new SharedArrayBuffer(64));
    f.fill(mode === 'always' ? 1 : 0);
    globals.__polyprof__ = { v: 1, f, s: [], e: point, l: point, r: point };
  }
  const context = vm.createContext(globals);
  vm.runInContext('var self = globalThis', context);
  return { context, outcome };
}

/**
 * @param {string} code of a classic script
 * @param {HookMode} [mode]
 * @returns {Promise<Outcome>} when no task of it is left; the script's completion value or error is the log's last line
 */
export async function runScript(code, mode = 'none') {
  const { context, outcome } = makeRealm(mode);
  let end;
  try {
    end = `completed: ${show(vm.runInContext(code, context, { filename: 'script.js', importModuleDynamically: noImports }))}`;
  } catch (error) {
    end = `threw: ${show(error)}`;
  }
  await allTasks();
  outcome.log.push(end);
  return outcome;
}

/** Promise jobs of all realms run before the next turn of the event loop. */
export function allTasks() {
  return new Promise((resolve) => setImmediate(resolve));
}

/** @returns {never} */
function noImports() {
  throw new Error('a script of the tests imports nothing');
}

/** @param {any} value @returns {string} no stack: probes move columns */
export function show(value) {
  if (typeof value === 'string') return value;
  const kind = Object.prototype.toString.call(value);
  if (kind === '[object Error]') return `${value.name}: ${value.message}`;
  // A debugger numbers promises.
  if (kind === '[object Promise]') return 'a promise';
  return inspect(value, { depth: 4, breakLength: Infinity });
}
