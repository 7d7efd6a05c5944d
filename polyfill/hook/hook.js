import { flagsOf, lower } from './flags.js';

/**
 * The hook: the object that instrumented scripts and the polyfill share in a realm. Contract: docs/hook.md.
 *
 * @typedef {[scriptId: number, tableName: string, stackText: () => string | undefined, firstFunctionId?: number]} ScriptEntry
 * @typedef {{e(furtherFrames?: number): void, l(furtherFrames?: number): void, r(): void}} Calls what probes call, or something of ours
 *   that is so many frames away from them
 * @typedef {Calls & {v: number, f: Int8Array, s: ScriptEntry[], [Symbol.toPrimitive]?(hint: string): void,
 *   d?: Int32Array, m?: WebAssembly.Memory, n?: number}} Hook `d`, the shadow stack, and `n`, the next free function id, are there if a
 *   script has shadow probes or may get some; `m` is the memory that it is in, if that is shared
 */

const NAME = '__polyprof__';
const VERSION = 1;
const BYTES = 64;

function nothing() {}

/** @returns {Hook} the realm's hook, made here if no instrumented script ran yet */
export function adoptHook() {
  const realm = /** @type {any} */ (globalThis);
  realm[NAME] ??= {
    v: VERSION,
    f: new Int8Array(new (globalThis.SharedArrayBuffer ?? ArrayBuffer)(BYTES)),
    s: [],
    e: nothing,
    l: nothing,
    r: nothing,
  };
  const hook = realm[NAME];
  if (hook.v !== VERSION || hook.f?.byteLength !== BYTES || !Object.isExtensible(hook)) {
    throw notSupported(`${NAME} is no hook of version ${VERSION}: instrument with the page's release`);
  }
  // Probes of quiet functions convert the hook, in place of calling it: to a string on enter, to a number on leave.
  hook[Symbol.toPrimitive] = (/** @type {string} */ hint) => {
    hook[hint === 'number' ? 'l' : 'e'](1);
  };
  return hook;
}

/** How often page code tried to overwrite what the armed probes call. */
let overwrites = 0;

/**
 * What the probes call from now on. Page code that overwrote one of these would make its own functions throw: it cannot, and is counted.
 * @param {Hook} hook @param {Calls} calls
 */
export function armHook(hook, calls) {
  setCalls(hook, calls, (call) => ({
    get: () => call,
    set() {
      overwrites++;
    },
  }));
}

/**
 * The same for probes that call often: twice as fast as with accessors in V8 and JavaScriptCore, but who overwrites is not counted.
 * @param {Hook} hook @param {Calls} calls
 */
export function armHookFast(hook, calls) {
  setCalls(hook, calls, (value) => ({ value, writable: false }));
}

/** Probes do nothing again. @param {Hook} hook */
export function releaseHook(hook) {
  setCalls(hook, { e: nothing, l: nothing, r: nothing }, (value) => ({ value, writable: true }));
  lower(flagsOf(hook.f));
}

/** Page code may have frozen it since it was adopted. @param {Hook} hook @param {Calls} calls @param {(call: unknown) => PropertyDescriptor} how */
function setCalls(hook, calls, how) {
  for (const [name, call] of Object.entries(calls)) {
    Reflect.defineProperty(hook, name, { ...how(call), configurable: true, enumerable: true });
  }
}

/** For a new sampler. */
export function forgetOverwrites() {
  overwrites = 0;
}

/** @param {Hook} hook that is in use @returns {number} how often page code overwrote it, or what is in it */
export function overwritesOf(hook) {
  return overwrites + Number(/** @type {any} */ (globalThis)[NAME] !== hook);
}

/** @param {string} reason with the way out @returns {DOMException} */
export function notSupported(reason) {
  return new DOMException(`polyprof: ${reason}`, 'NotSupportedError');
}
