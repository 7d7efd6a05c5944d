import { COUNTER_NAMES, CoreError } from '../../wasm/core.js';

/**
 * Operations on a core as test/runtime/replay.cpp reads them, run through the module.
 *
 * @typedef {import('../../wasm/core.js').Core} Core
 * @typedef {(string | number | Uint8Array)[]} Operation its name and its arguments; text and bytes as in `lineOf`
 */

/** @param {Operation} operation @returns {string} for the native program */
export function lineOf(operation) {
  const [name, ...args] = operation;
  return [
    name,
    ...args.map((arg) => (typeof arg === 'number' ? arg : Buffer.from(arg).toString('hex'))),
  ].join(' ');
}

/** @param {Core} core @param {Operation} operation @returns {string} what the native program prints */
export function outcomeOf(core, operation) {
  const [name, ...args] = operation;
  const run = RUN[/** @type {keyof typeof RUN} */ (name)];
  try {
    return String(run(core, .../** @type {[any, any, any]} */ (args)));
  } catch (error) {
    if (error instanceof CoreError) return String(-error.status);
    throw error;
  }
}

/** @type {Record<string, (core: Core, a: any, b: any, c: any) => string | number>} */
const RUN = {
  open: (core, intervalMs, maxSamples, nowMs) => core.openSession(intervalMs, maxSamples, nowMs),
  close: (core, session, nowMs) => done(core.closeSession(session, nowMs)),
  release: (core, session) => done(core.releaseSession(session)),
  register: (core, scriptId, text) => core.registerScript(text, scriptId),
  load: (core, script, bytes) => 0 - core.loadTable(script, bytes),
  stack: (core, point, skip, text) => core.stackOfText(text, point, skip),
  record: (core, after, last, stack) => core.record(after, last, stack),
  encode: (core, session) => new TextDecoder('utf-8', { fatal: true }).decode(core.encodeTrace(session)),
  counters: (core) => COUNTER_NAMES.map((name) => `${core.counters()[name]} `).join(''),
  schedule: (core, nowMs) => {
    const tick = core.tickAt(nowMs);
    const [waitBits] = new BigUint64Array(Float64Array.of(core.msUntilNextTick(nowMs)).buffer);
    return `${core.longestWaitTicks()} ${core.nextTick(tick)} ${tick} ${waitBits} ${core.fillsAtTick(tick)}`;
  },
};

/** @param {void} _ @returns {number} of a call that tells only failures */
function done(_) {
  return 0;
}
