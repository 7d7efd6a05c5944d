import { statelessProbe } from './stateless_probe.js';

/** Bytes of the hook's array (docs/hook.md). */
const ENTER_FLAG = 0;
const LEAVE_FLAGS = [1, 2, 3];
/** How much further those of quiet functions are. */
const QUIET_FLAGS = 4;
const SCRATCH = 8;
const COUNTDOWN = 9;

/**
 * The flag probe.
 *
 * Every check is `F[1]&&H.l()`: one load from an array that the JIT knows to be there, one test, no call while no tick waits.
 * On enter there is also a store, `F[F[8]=0]&&H.e()`: a JIT that inlined the function into a loop may load the flag once before
 * the loop and never again, unless something in the loop stores to the array. For the same reason leave looks at other cells than
 * enter, and functions near each other at different ones: what is loaded once for two checks is not seen by the second.
 * Where flags stay raised, enters count down in place, `F[F[8]=0]&&!--F[9]&&H.e()`, and leave flags are down meanwhile: a call for each check would cost far more.
 * Quiet functions have four cells of their own, which rise only where a worker raises them, and there the cold side is a conversion of
 * the hook: code that met a raised flag for the first time stays optimised in V8, which a call that was never made would end. Where
 * flags stay raised those of quiet functions are down: conversions are far slower than calls.
 *
 * @param {import('./prelude.js').ProbeNames} names
 * @param {import('../functions/function_record.js').FunctionRecord} record
 * @returns {import('./probe.js').Probe}
 */
export function flagProbe(names, record) {
  const { hook, flag, init } = names;
  const first = record.isQuiet ? QUIET_FLAGS : 0;
  const entered = first + ENTER_FLAG;
  const left = first + LEAVE_FLAGS[record.ordinal % LEAVE_FLAGS.length];
  const enterFlag = `[${flag}[${SCRATCH}]=${entered}]`;
  const last = `!--${flag}[${COUNTDOWN}]`;
  const [entering, leaving] = record.isQuiet
    ? [`\`\${${hook}}\``, `+${hook}`]
    : [`${last}&&${hook}.e()`, `${hook}.l()`];
  return statelessProbe(names, record, {
    enter: `${flag}${enterFlag}&&${entering}`,
    enterEarly: `(${flag}||${init}())${enterFlag}&&${entering}`,
    leave: `${flag}[${left}]&&${leaving}`,
    resumed: `${flag}[${entered}]&&${last}&&${hook}.r()`,
  });
}
