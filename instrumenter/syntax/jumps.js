/**
 * Which loop a `break` or `continue` goes to, and whether it closes an async iterator on its way.
 *
 * @typedef {import('./parse.js').Node} Node
 * @typedef {{statement: Node, outer: Node, labels: string[], isLoop: boolean, isPlainBlock: boolean, isForAwait: boolean,
 *   isLanding: boolean, forgetsSuspension: boolean}} JumpTarget `outer`: the statement with its labels; `forgetsSuspension`: a jump
 *   in this `for await` remembers that it is suspended, so the loop has to forget that
 */

/** The statements around the walk's place in one function that can be jumped out of. */
export class JumpTargets {
  /** @type {JumpTarget[]} outermost first */
  #open = [];
  /** @type {string[]} */
  #labels = [];
  /** @type {Node} */
  #outer = null;

  /** @param {Node} labeled a LabeledStatement */
  label(labeled) {
    this.#outer ??= labeled;
    this.#labels.push(labeled.label.name);
  }

  /** @param {Node} statement a loop, switch, or anything that carries labels @returns {JumpTarget} */
  open(statement) {
    const isSwitch = statement.type === 'SwitchStatement';
    const isLoop = /^(For|While|DoWhile)/.test(statement.type);
    const target = {
      statement,
      outer: this.#outer ?? statement,
      labels: this.#labels,
      isLoop,
      isPlainBlock: !isLoop && !isSwitch,
      isForAwait: statement.type === 'ForOfStatement' && statement.await,
      isLanding: false,
      forgetsSuspension: false,
    };
    this.#labels = [];
    this.#outer = null;
    this.#open.push(target);
    return target;
  }

  close() {
    this.#open.pop();
  }

  get insideForAwait() {
    return this.#open.some((target) => target.isForAwait);
  }

  /**
   * @param {Node} jump BreakStatement or ContinueStatement
   * @returns {{target: JumpTarget, closed: JumpTarget[]}} `closed`: the `for await` loops that it ends or goes on with
   */
  resolve(jump) {
    const label = jump.label?.name;
    const isContinue = jump.type === 'ContinueStatement';
    const index = this.#open.findLastIndex((target) => {
      if (label !== undefined) return target.labels.includes(label);
      return isContinue ? target.isLoop : !target.isPlainBlock;
    });
    return {
      target: this.#open[index],
      closed: this.#open.slice(index).filter((target) => target.isForAwait),
    };
  }
}
