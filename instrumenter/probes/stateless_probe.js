/**
 * @typedef {object} Checks expressions
 * @property {string} enter what ran until now was the caller
 * @property {string} enterEarly the same, of a function that may be called before its module's prelude ran
 * @property {string} leave what ran until now was this function
 * @property {string} resumed
 */

/**
 * A probe of checks that keep no state.
 *
 * Beyond them a `return` of something that has to be computed costs a local variable, and a suspension too. There is no
 * try/finally: that is what costs in the engines. A function that ends by an exception from elsewhere is not checked there, and
 * the next check sees who runs by then.
 *
 * @param {Pick<import('./prelude.js').ProbeNames, 'temp' | 'suspended'>} names
 * @param {import('../functions/function_record.js').FunctionRecord} record
 * @param {Checks} checks
 * @returns {import('./probe.js').Probe}
 */
export function statelessProbe({ temp, suspended }, record, { enter, enterEarly, leave, resumed }) {
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
    pairs: false,
    leave,
    enterScript: enter,
    scriptLocals: locals(false),
    begin: (usesTemp, early) => `${locals(usesTemp)}${early ? enterEarly : enter};`,
    guardFunction: ['', ''],
    guardForAwait: ['', ''],
    recover: ({ block }) => (record.resumesAtStart.has(block) ? resumeIfSuspended : ''),
    endOfFinally: () => `${leave};`,
    resumeIfSuspended,
    leaveScript: `var ${temp}=${leave};`,
    leaveAround: [`{${leave};`, '}'],
    leaveBeforeValue: (waits) => `${suspend(waits)},`,
    leaveAfterValue(hides, waits) {
      const [before, after] = assign(hides);
      return [before, `${after},${suspend(waits)},${temp}`];
    },
    suspendAround: (waits) => [`(${suspend(waits)},${temp}=`, `,${resume(waits)},${temp})`],
    resumeAround: (waits) => [`(${temp}=`, `,${resume(waits)},${temp})`],
    suspendAfterValue(hides, waits) {
      const [before, after] = assign(hides);
      return [`(${before}`, `${after},${suspend(waits)},${temp})`];
    },
    suspendStatement: (waits) => `${suspend(waits)};`,
    resumeStatement: (waits) => `${resume(waits)};`,
  };
}
