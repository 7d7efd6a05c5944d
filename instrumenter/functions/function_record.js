/**
 * @typedef {import('../syntax/parse.js').Node} Node
 *
 * What the walk found out about one function: enough to decide whether it gets probes, and where they go.
 *
 * - `top`: the top level of the script
 * - `function`: anything written as a function, method, accessor, constructor or arrow
 * - `constructor`: a class's constructor that is not written; a function to the engine, at the keyword `class`
 * - `initializer`: a class's field initialiser or static block; a function to the engine, too
 *
 * @typedef {'top' | 'function' | 'constructor' | 'initializer'} RecordKind
 */

/**
 * A place where the function stops or starts running.
 *
 * - `return`, `throw`: the function ends there
 * - `await`, `yield`: it is suspended
 * - `jump`: a `break` or `continue` that closes an async iterator on its way, which is awaited
 * - `for await`: awaits before each step
 * - `landing`: a statement that such a `jump` goes to
 *
 * `passesFinally`: a `return` after which a `finally` block runs, at whose end the function is left.
 *
 * `order` is the place's number in the walk, the surrounding node first. `waits`: its suspension may end in a catch or finally
 * block or at a landing (the awaited promise rejects, or `throw()` or `return()` is called on the generator), so the function has to remember that it was suspended.
 *
 * @typedef {{kind: 'return' | 'throw' | 'await' | 'yield' | 'jump', node: Node, order: number, waits: boolean,
 *   passesFinally: boolean, startsStatement: boolean}} ExpressionPoint `startsStatement`: first token of a statement in a list
 * @typedef {import('../syntax/jumps.js').JumpTarget & {kind: 'for await' | 'landing', order: number, waits: boolean}} LoopPoint
 * @typedef {ExpressionPoint | LoopPoint} Point
 *
 * @typedef {{block: Node, depth: number}} Recovery a block of `catch` or `finally`, and of how many `finally` blocks of the
 *   function it stands inside
 */

export class FunctionRecord {
  /** Statements, members of comma sequences, calls and loops of its own. */
  weight = 0;
  /** Why it must not have probes, whatever the options say. @type {string | null} */
  obstacle = null;
  /** @type {'ignore' | 'include' | null} what the comment before it says, or before one around it */
  mark = null;
  /** If the event loop or a framework calls it: the weight from which on it gets probes. Otherwise Infinity. */
  weightAsEntryPoint = Infinity;
  delegates = false;
  /** @type {Point[]} */
  points = [];
  /** Blocks of `finally` whose end is where a `return` from inside the `try` leaves the function. @type {Map<Node, number>} */
  leavesAtEnd = new Map();
  /** Blocks of `catch` and `finally` that a suspension may end in. @type {Set<Node>} */
  resumesAtStart = new Set();
  /** All blocks of `catch` and `finally`. @type {Recovery[]} */
  recoveries = [];
  /** It has no probes, but its `catch` and `finally` blocks set the depth of the shadow stack right. */
  heals = false;
  /** Which one of its script's functions with probes it is. */
  ordinal = 0;
  /** Its row in the function table. */
  row = 0;
  /** What a calibration says of it. @type {(import('../budget/choose.js').Candidate & {name: string}) | null} */
  calibrated = null;
  /** A calibration has seen its script run, and did not see it called. */
  isUnseen = false;
  /** Whether its probes are within the budget; null: nobody knows. @type {boolean | null} */
  affordable = null;
  /** Its probes fit into the budget only where a worker samples; in pages without one its flags are never raised. */
  quiet = false;
  /** @type {'' | string} why it has no probes; empty: it has */
  skipped = 'light';

  /**
   * @param {object} init
   * @param {RecordKind} init.kind
   * @param {Node} init.node
   * @param {FunctionRecord | null} init.parent the function around it
   * @param {number} init.order as of points
   * @param {import('../syntax/names.js').FunctionName} init.name
   * @param {number} init.definition offset of its definition position
   * @param {number} [init.start] offset of its first character, if that is another one
   * @param {number} init.end offset just after its last character
   * @param {boolean} [init.suspends] async, generator, or a module with an await at its top level
   */
  constructor({ kind, node, parent, order, name, definition, start = definition, end, suspends = false }) {
    this.kind = kind;
    this.node = node;
    this.parent = parent;
    this.order = order;
    this.name = name;
    this.definition = definition;
    this.start = start;
    this.end = end;
    this.suspends = suspends;
  }

  /** Do its checks look at the flags that only a worker raises? */
  get isQuiet() {
    return this.quiet && this.mark !== 'include';
  }

  get probed() {
    return this.skipped === '';
  }

  /** An arrow function whose body is an expression. */
  get isConcise() {
    return this.kind === 'function' && this.node.body.type !== 'BlockStatement';
  }

  /** `suspends` says of modules only that they may have an await at their top level. */
  get maySuspend() {
    if (this.kind !== 'top') return this.suspends;
    return this.points.some((point) => point.kind === 'await' || point.kind === 'for await');
  }

  /** Does it have to remember whether it is suspended? */
  get remembersSuspension() {
    return this.points.some((point) => point.waits);
  }
}
