/**
 * @typedef {import('./prelude.js').ProbeNames} ProbeNames
 * @typedef {import('../functions/function_record.js').FunctionRecord} FunctionRecord
 * @typedef {object} Checks expressions
 * @property {string} enter what ran until now was the caller
 * @property {string} enterEarly the same, of a function that may be called before its module's prelude ran
 * @property {string} leave what ran until now was this function
 * @property {string} resumed
 */

/** Bytes of the hook's array (docs/hook.md). */
const ENTER_FLAG = 0;
const LEAVE_FLAGS = [1, 2, 3];
/** How much further those of quiet functions are. */
const QUIET_FLAGS = 4;
const SCRATCH = 8;

/**
 * The flag probe: the only place that knows what inserted code looks like.
 *
 * Every check is `F[1]&&H.l()`: one load from an array that the JIT knows to be there, one test, no call while no tick waits.
 * On enter there is also a store, `F[F[8]=0]&&H.e()`: a JIT that inlined the function into a loop may load the flag once before
 * the loop and never again, unless something in the loop stores to the array. For the same reason leave looks at other cells than
 * enter, and functions near each other at different ones: what is loaded once for two checks is not seen by the second.
 * Quiet functions have four cells of their own, which rise only where a worker raises them, and there the cold side is a conversion of
 * the hook: code that met a raised flag for the first time stays optimised in V8, which a call that was never made would end. Where
 * flags stay raised conversions would be far slower than calls.
 *
 * @param {ProbeNames} names
 * @param {FunctionRecord} record
 */
export function flagProbe(names, record) {
  const { hook, flag, init } = names;
  const first = record.isQuiet ? QUIET_FLAGS : 0;
  const entered = first + ENTER_FLAG;
  const left = first + LEAVE_FLAGS[record.ordinal % LEAVE_FLAGS.length];
  const enterFlag = `[${flag}[${SCRATCH}]=${entered}]`;
  const [entering, leaving] = record.isQuiet
    ? [`\`\${${hook}}\``, `+${hook}`]
    : [`${hook}.e()`, `${hook}.l()`];
  return checks(names, record, {
    enter: `${flag}${enterFlag}&&${entering}`,
    enterEarly: `(${flag}||${init}())${enterFlag}&&${entering}`,
    leave: `${flag}[${left}]&&${leaving}`,
    resumed: `${flag}[${entered}]&&${hook}.r()`,
  });
}

/**
 * Checks that keep no state, in the places of a function.
 *
 * Beyond them a `return` of something that has to be computed costs a local variable, and a suspension too. There is no
 * try/finally: that is what costs in the engines. A function that ends by an exception from elsewhere is not checked there, and
 * the next check sees who runs by then.
 *
 * Each template is a list of the texts before and after the node that it is put around.
 *
 * @param {Pick<ProbeNames, 'temp' | 'suspended'>} names
 * @param {FunctionRecord} record
 * @param {Checks} check
 */
export function checks({ temp, suspended }, record, { enter, enterEarly, leave, resumed }) {
  /** @param {boolean} waits */
  const suspend = (waits) => (waits ? `${leave},${suspended}=1` : leave);
  /** @param {boolean} waits */
  const resume = (waits) => (waits ? `${suspended}=0,${resumed}` : resumed);
  /** `temp=0,function(){}` would give the function a name. @param {boolean} hides */
  const assign = (hides) => (hides ? [`${temp}=(0,`, ')'] : [`${temp}=`, '']);

  /** @param {boolean} usesTemp @returns {string} */
  const locals = (usesTemp) => {
    const variables = [usesTemp && temp, record.remembersSuspension && suspended].filter(Boolean);
    return variables.length > 0 ? `var ${variables.join()};` : '';
  };
  const resumeIfSuspended = `if(${suspended}){${suspended}=0;${resumed}}`;

  return {
    /** Does each enter need its leave? Checks may be left out where nothing ran since the last one. */
    pairs: false,
    leave,

    /** At the start of the script, an expression; and its variables. */
    enterScript: enter,
    scriptLocals: locals(false),

    /**
     * Statements at a function's start.
     * @param {boolean} usesTemp
     * @param {boolean} early a cycle of imports may call it before its module's prelude ran
     */
    begin: (usesTemp, early) => `${locals(usesTemp)}${early ? enterEarly : enter};`,

    /** Around all statements of a function, and of a `for await`'s body. */
    guardFunction: ['', ''],
    guardForAwait: ['', ''],

    /** At the start of a block of `catch` or `finally`. @param {import('../functions/function_record.js').Recovery} recovery @returns {string} */
    recover: ({ block }) => (record.resumesAtStart.has(block) ? resumeIfSuspended : ''),

    /** At the end of a `finally` that may end the function. @param {import('../functions/function_record.js').Recovery} _ */
    endOfFinally: (_) => `${leave};`,

    /** Where a jump out of a `for await` lands. */
    resumeIfSuspended,

    /** At the end of the script. A `var` has no completion value. */
    leaveScript: `var ${temp}=${leave};`,

    /** Around a `return` without a value: in an async generator, `return undefined` would take a turn longer. */
    leaveAround: [`{${leave};`, '}'],

    /** Before a value that nothing has to run for. @param {boolean} waits */
    leaveBeforeValue: (waits) => `${suspend(waits)},`,

    /** Around the value of a `return` or `throw`. @param {boolean} hides @param {boolean} waits */
    leaveAfterValue(hides, waits) {
      const [before, after] = assign(hides);
      return [before, `${after},${suspend(waits)},${temp}`];
    },

    /** Around an `await x` or `yield x` whose x nothing has to run for, or that has none. @param {boolean} waits */
    suspendAround: (waits) => [`(${suspend(waits)},${temp}=`, `,${resume(waits)},${temp})`],

    /** Around any other: the first text replaces the keyword. @param {string} keyword @param {boolean} hides @param {boolean} waits */
    suspendAfterValue(keyword, hides, waits) {
      const [before, after] = assign(hides);
      return [
        `(${before}`,
        `${after},${suspend(waits)},${temp}=${keyword} ${temp},${resume(waits)},${temp})`,
      ];
    },

    /** Around the iterable of a `for await`. @param {boolean} hides @param {boolean} waits */
    suspendAfterIterable(hides, waits) {
      const [before, after] = assign(hides);
      return [`(${before}`, `${after},${suspend(waits)},${temp})`];
    },

    /** Statements. @param {boolean} waits */
    suspendStatement: (waits) => `${suspend(waits)};`,
    /** @param {boolean} waits */
    resumeStatement: (waits) => `${resume(waits)};`,
  };
}

/** @typedef {ReturnType<typeof checks>} Probe */
