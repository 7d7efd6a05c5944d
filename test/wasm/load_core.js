import { readFileSync } from 'node:fs';
import { Core, createMemory } from '../../wasm/core.js';

const MODULE = new URL('../../build/wasm/polyprof.named.wasm', import.meta.url);

/** @type {WebAssembly.Module | undefined} */
let compiled;

/** @returns {WebAssembly.Module} the built core */
export function coreModule() {
  compiled ??= new WebAssembly.Module(moduleBytes());
  return compiled;
}

function moduleBytes() {
  try {
    return readFileSync(MODULE);
  } catch (cause) {
    throw new Error('build/wasm/polyprof.named.wasm is not there: npm run build', { cause });
  }
}

/**
 * A core over a memory of its own.
 * @param {number} [epochMs]
 * @param {boolean} [jitter]
 * @param {boolean} [hasStarts]
 * @returns {Promise<{core: Core, memory: WebAssembly.Memory}>}
 */
export async function newCore(epochMs = 0, jitter = false, hasStarts = false) {
  const memory = createMemory();
  const options = /** @type {const} */ ([epochMs, jitter, false, false, false, hasStarts]);
  return { core: await Core.create(coreModule(), memory, ...options), memory };
}

/** @param {Core} core @param {number} session @returns {any} its ProfilerTrace */
export function traceOf(core, session) {
  return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(core.encodeTrace(session)));
}
