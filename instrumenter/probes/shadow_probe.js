import { isBlockSafe } from './block_safety.js';

/**
 * The shadow probe: while a function runs, its id is in the realm's array A of cells, which a worker reads (docs/hook.md).
 *
 * Enter is `D=A[0],A[D]=id,A[0]=D+1`, one load and two stores; leave is `A[0]=D`: no call, no branch. The id is written before it
 * counts. D, a local variable, is the function's own cell. Leave stores the depth and does not count down, so what a callee's
 * exception left above goes with it; `catch` and `finally` blocks heal that earlier.
 *
 * A function that may go on after it has stopped (at an await, a yield, or in a `finally` after its `return`) sets D to 0 when it
 * stops: a block that an exception leads to, or a generator's being told to return, so knows whether it has to enter again.
 * An async function's exceptions become rejections, which nobody above catches, and so may a generator's: both heal what they leave themselves. They do so in
 * a `finally`, since what a `catch` throws again would come from there.
 *
 * A function that has a `try` and no probe only remembers the depth and heals: `var D=A[0]`, `A[0]=D`.
 *
 * @param {import('./shadow_prelude.js').ShadowNames} names
 * @param {import('../functions/function_record.js').FunctionRecord} record
 * @returns {import('./probe.js').Probe}
 */
export function shadowProbe(names, record) {
  const { cells, base, temp, left, init } = names;
  const { kind, probed, node } = record;
  const isTop = kind === 'top';
  const depth = isTop ? names.topDepth : names.depth;
  const stops = record.maySuspend || record.leavesAtEnd.size > 0;

  const push = `${cells}[${depth}]=${base}+${record.row},${cells}[0]=${depth}+1`;
  const enter = probed ? `${depth}=${cells}[0],${push}` : `${depth}=${cells}[0]`;
  const leave = `${cells}[0]=${depth}${stops ? `,${depth}=0` : ''}`;
  const heal = `${cells}[0]=${depth}${probed ? '+1' : ''}`;
  const resumeIfStopped = `${depth}||(${enter});`;
  const guard = ['try{', `}finally{if(${depth})${leave}}`];
  const noGuard = ['', ''];

  /** The completion value of the top level is the script's; a `var` has none. @param {string} expression */
  const statement = (expression) => (isTop ? `var ${temp}=${expression};` : `${expression};`);
  /** `temp=0,function(){}` would give the function a name. @param {boolean} hides */
  const assign = (hides) => (hides ? [`${temp}=(0,`, ')'] : [`${temp}=`, '']);
  /** Of the `finally` blocks inside each other, each needs its own. @param {number} depthOfFinally */
  const leftIn = (depthOfFinally) => `${left}${depthOfFinally || ''}`;
  /** @param {boolean} usesTemp */
  const variables = (usesTemp) => [
    ...(usesTemp ? [temp] : []),
    ...new Set(record.recoveries.filter(leavesAtEnd).map((recovery) => leftIn(recovery.depth))),
  ];
  /** @param {import('../functions/function_record.js').Recovery} recovery */
  const leavesAtEnd = ({ block }) => probed && record.leavesAtEnd.has(block);

  return {
    pairs: true,
    leave,
    enterScript: `(${enter})`,
    leaveScript: `var ${temp}=${cells}[0]=${depth};`,

    scriptLocals: `var ${[depth, ...variables(false)]};`,

    begin(usesTemp, early) {
      const now = `${early ? `(${cells}||${init}())` : cells}[0]`;
      return `var ${[`${depth}=${now}`, ...variables(usesTemp)]};${probed ? `${push};` : ''}`;
    },

    guardFunction: probed && (node.async || node.generator) && isBlockSafe(node) ? guard : noGuard,
    guardForAwait: guard,

    recover(recovery) {
      if (!stops) return statement(heal);
      const isStopped = leavesAtEnd(recovery) ? `(${leftIn(recovery.depth)}=!${depth})` : `!${depth}`;
      return statement(`${isStopped}?(${enter}):${heal}`);
    },
    endOfFinally: ({ depth: depthOfFinally }) => statement(`${leftIn(depthOfFinally)}&&(${leave})`),
    resumeIfSuspended: resumeIfStopped,

    leaveAround: [`{${leave};`, '}'],
    leaveBeforeValue: () => `${leave},`,
    leaveAfterValue(hides) {
      const [before, after] = assign(hides);
      return [before, `${after},${leave},${temp}`];
    },

    suspendAround: () => [`(${leave},${temp}=`, `,${enter},${temp})`],
    resumeAround: () => [`(${temp}=`, `,${enter},${temp})`],
    suspendAfterValue(hides) {
      const [before, after] = assign(hides);
      return [`(${before}`, `${after},${leave},${temp})`];
    },
    suspendStatement: () => `${leave};`,
    resumeStatement: () => resumeIfStopped,
  };
}
