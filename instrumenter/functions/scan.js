import { FunctionRecord } from './function_record.js';
import { JumpTargets } from '../syntax/jumps.js';
import { InferredNames } from '../syntax/names.js';
import { OpenTries } from './tries.js';

/** @typedef {import('../syntax/parse.js').Node} Node */

/** The walk's state. `here` is the function around its place. */
export class Scan {
  /** @type {FunctionRecord[]} */
  records = [];
  names = new InferredNames();
  tries = new OpenTries();
  jumps = new JumpTargets();
  /** @type {FunctionRecord} */
  here = /** @type {any} */ (null);
  /** @type {import('./turned_into_text.js').Texts} */
  texts = { taken: [], parameters: [], ofTables: [], assigned: [] };
  /** @type {import('./entry_points.js').Callback[]} */
  given = [];
  /** Names of the classes around, for their constructors. @type {import('../syntax/names.js').FunctionName[]} */
  classNames = [];
  #order = 0;
  #withDepth = 0;
  /** Where the last statement in a statement list starts that is an expression. */
  #listStatement = -1;

  /** @param {string} code */
  constructor(code) {
    this.code = code;
  }

  nextOrder() {
    return ++this.#order;
  }

  /**
   * Walks the inside of a function.
   * @param {Omit<ConstructorParameters<typeof FunctionRecord>[0], 'parent' | 'order'>} init
   * @param {() => void} walkInside
   */
  inside(init, walkInside) {
    const { here, tries, jumps } = this;
    this.here = new FunctionRecord({ ...init, parent: here, order: this.nextOrder() });
    this.tries = new OpenTries();
    this.jumps = new JumpTargets();
    this.records.push(this.here);
    if (here?.obstacle === 'asm.js') this.here.obstacle = 'asm.js';
    if (this.#withDepth > 0) this.here.obstacle ??= 'with';
    walkInside();
    Object.assign(this, { here, tries, jumps });
  }

  /** @param {() => void} walkInside */
  insideWith(walkInside) {
    this.here.obstacle ??= 'with';
    this.#withDepth++;
    walkInside();
    this.#withDepth--;
  }

  /** Direct eval sees the variables of all functions around it: none of them gets new ones. */
  directEval() {
    this.here.obstacle ??= 'direct eval';
    for (let record = this.here.parent; record?.parent; record = record.parent)
      record.obstacle ??= 'direct eval';
  }

  /** @param {Node} statement ExpressionStatement @param {Node} parent */
  expressionStatement(statement, parent) {
    if (/^(Program|BlockStatement|StaticBlock|SwitchCase)$/.test(parent.type))
      this.#listStatement = statement.start;
    this.here.weight++;
  }

  /**
   * @param {'return' | 'throw' | 'await' | 'yield' | 'jump'} kind
   * @param {Node} node
   * @param {boolean} waits
   * @param {boolean} [passesFinally]
   */
  point(kind, node, waits, passesFinally = false) {
    const order = this.nextOrder();
    const startsStatement = node.start === this.#listStatement;
    this.here.points.push({ kind, node, order, waits, passesFinally, startsStatement });
  }

  /** @param {import('./entry_points.js').Given[]} given to the event loop here */
  callbacks(given) {
    for (const each of given) this.given.push({ ...each, here: this.here });
  }

  /** @param {Node} statement `try` whose place this is */
  recoveries({ start, handler, finalizer }) {
    const depth = this.tries.finallyDepth(start);
    for (const block of [handler?.body, finalizer]) {
      if (block) this.here.recoveries.push({ block, depth });
    }
  }

  /** @param {'await' | 'yield'} kind @param {Node} node */
  suspension(kind, node) {
    if (this.tries.isInParameter(node.start)) this.here.obstacle ??= 'catch parameter';
    this.point(kind, node, this.mayLand(node.start));
    // A generator may be told to return.
    if (kind === 'yield') this.leavesAtEndOfFinally(node.start);
  }

  /**
   * The function may leave at the end of the `finally` blocks around `offset`, which run last.
   * @param {number} offset @param {number} [target] of a jump that leads out of what starts there; without it, it leads out of the function
   * @returns {boolean} any?
   */
  leavesAtEndOfFinally(offset, target = -1) {
    const finallyBlocks = this.tries.finallyBlocks(offset, target);
    for (const { block, order } of finallyBlocks) this.here.leavesAtEnd.set(block, order);
    return finallyBlocks.length > 0;
  }

  /** Remembers the blocks that a suspension at `offset` may end in. @param {number} offset @returns {boolean} any? */
  mayLand(offset) {
    const landings = this.tries.landings(offset);
    for (const { block } of landings) this.here.resumesAtStart.add(block);
    return landings.length > 0;
  }
}
