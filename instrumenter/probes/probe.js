/**
 * What inserted code looks like: the texts that one kind of probe puts into one function. Those that are pairs go around a node of the source, before and after it.
 * `waits`: the function may go on in a `catch` or `finally`, so it has to remember that it is suspended; `hides`: the value is a function without a name, which an
 * assignment would give one.
 *
 * @typedef {import('../functions/function_record.js').Recovery} Recovery
 * @typedef {[before: string, after: string] | string[]} Around
 *
 * @typedef {object} Probe
 * @property {boolean} pairs each enter needs its leave; else checks may be left out where nothing ran since the last one
 * @property {string} leave an expression
 * @property {string} enterScript at the start of the script, an expression
 * @property {string} leaveScript at the end of the script, a statement without a completion value
 * @property {string} scriptLocals variables of the script
 * @property {(usesTemp: boolean, early: boolean) => string} begin statements at a function's start; `early`: a cycle of imports may call it before its module's prelude
 *   ran
 * @property {Around} guardFunction around all statements of a function
 * @property {Around} guardForAwait around the body of a `for await`
 * @property {(recovery: Recovery) => string} recover at the start of a block of `catch` or `finally`
 * @property {(recovery: Recovery) => string} endOfFinally at the end of a `finally` that may end the function
 * @property {string} resumeIfSuspended where a jump out of a `for await` lands
 * @property {Around} leaveAround around a `return` without a value: in an async generator, `return undefined` would take a turn longer
 * @property {(waits: boolean) => string} leaveBeforeValue before a value that nothing has to run for
 * @property {(hides: boolean, waits: boolean) => Around} leaveAfterValue around the value of a `return` or `throw`
 * @property {(waits: boolean) => Around} suspendAround around an `await x` or `yield x` whose x nothing has to run for, or that has none
 * @property {(waits: boolean) => Around} resumeAround around any other, whose x is in `suspendAfterValue`
 * @property {(hides: boolean, waits: boolean) => Around} suspendAfterValue around what has to be computed before a suspension: that x, or the iterable of a `for await`
 * @property {(waits: boolean) => string} suspendStatement
 * @property {(waits: boolean) => string} resumeStatement
 */

export {};
