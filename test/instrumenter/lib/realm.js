import vm from 'node:vm';
import { inspect } from 'node:util';
import { COUNTDOWN } from '../../../polyfill/hook/flags.js';

/**
 * What runs a program and writes down what it did: a new realm with a `log` and hardly anything else of Node.
 *
 * @typedef {'none' | 'never' | 'always' | 'isolated'} HookMode none: the program makes its hook; never: a hook is there, its flag
 *   never raised; always: raised at each check; isolated: as none, in a realm that says it is cross-origin isolated
 * @typedef {{log: string[], points: number, shadow?: Shadow}} Outcome
 * @typedef {{depth: number, nextId: number}} Shadow of the realm's shadow stack, when no task is left
 */

/** What to try a program with. @type {{probe: string, mode: HookMode, quiet?: boolean}[]} `quiet`: with `quietOptions` */
export const PROBES_AND_HOOKS = [
  { probe: 'flag', mode: 'none' },
  { probe: 'flag', mode: 'never' },
  { probe: 'flag', mode: 'always' },
  { probe: 'flag', mode: 'always', quiet: true },
  { probe: 'shadow', mode: 'none' },
  { probe: 'shadow', mode: 'never' },
  { probe: 'shadow', mode: 'isolated' },
  { probe: 'count', mode: 'none' },
];

/** @param {HookMode} mode @returns {{context: vm.Context, outcome: Outcome}} */
export function makeRealm(mode) {
  /** @type {Outcome} */
  const outcome = { log: [], points: 0 };
  const f = new Int8Array(new SharedArrayBuffer(64));
  const point = () => {
    outcome.points++;
    f[COUNTDOWN] = 1;
  };
  /** @type {Record<string, unknown>} */
  const globals = {
    // Of Node, since what counts wants one.
    TextEncoder,
    w() {},
    log: (/** @type {unknown[]} */ ...values) => void outcome.log.push(values.map(show).join(' ')),
  };
  if (mode === 'isolated') {
    globals.crossOriginIsolated = true;
  } else if (mode !== 'none') {
    f.fill(mode === 'always' ? 1 : 0);
    globals.__polyprof__ = { v: 1, f, s: [], e: point, l: point, r: point, [Symbol.toPrimitive]: point };
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
  return { ...outcome, shadow: shadowOf(context) };
}

/** @param {vm.Context} context @returns {Shadow | undefined} undefined: nothing with shadow probes ran in it */
export function shadowOf({ __polyprof__: hook }) {
  return hook?.d && { depth: hook.d[0], nextId: hook.n };
}

/** Promise jobs of all realms run before the next turn of the event loop. */
export function allTasks() {
  return new Promise((resolve) => setImmediate(resolve));
}

/** @returns {never} */
function noImports() {
  throw new Error('a script of the tests imports nothing');
}

/**
 * V8 writes into `… is not a function` what was called, in its own reading of the code: an `await` or `yield` in it is an intermediate
 * value, its probe is not, and a function in it is as many as it has probes. A known limit (docs/probes.md).
 * @param {string} line
 */
export function withoutProbeText(line) {
  if (!/is not (a function|a constructor|iterable)/.test(line)) return line;
  return line
    .replace(/\(\(?__pp[A-Z].*? , __ppT\d*\)/g, '(intermediate value)')
    .replace(/(\(intermediate value\))+/g, '(intermediate value)');
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
