/**
 * What the `try` statements around a place in a function mean for the probes there.
 *
 * @typedef {import('../syntax/parse.js').Node} Node
 */

/** @typedef {{block: Node, order: number}} Landing a block of `catch` or `finally`, with the order of its `try` */

/** The `try` statements around the walk's place in one function. */
export class OpenTries {
  /** @type {{statement: Node, order: number}[]} outermost first */
  #open = [];

  /** @param {Node} statement @param {number} order */
  open(statement, order) {
    this.#open.push({ statement, order });
  }

  close() {
    this.#open.pop();
  }

  /**
   * @param {number} offset
   * @returns {Landing[]} blocks that an abrupt end of what stands there may enter: a generator that is told to return passes by
   *   the catch blocks, so it is all of them and not only the innermost
   */
  landings(offset) {
    return this.#open.flatMap(({ statement: { block, handler, finalizer }, order }) => {
      const landings = [];
      if (handler && offset < block.end) landings.push({ block: handler.body, order });
      if (finalizer && offset < finalizer.start) landings.push({ block: finalizer, order });
      return landings;
    });
  }

  /** @param {number} offset @returns {boolean} it is in the parameter of a `catch`, which runs before anything that is put at the start of the block */
  isInParameter(offset) {
    return this.#open.some(
      ({ statement: { block, handler } }) => handler && offset > block.end && offset < handler.body.start,
    );
  }

  /** @param {number} offset @returns {number} of how many `finally` blocks it stands inside */
  finallyDepth(offset) {
    return this.#open.filter(({ statement: { finalizer } }) => finalizer && offset >= finalizer.start).length;
  }

  /** @param {number} offset @param {number} target offset @returns {Landing[]} the `finally` blocks that run when a jump leads out of what starts at `target` */
  finallyBlocks(offset, target) {
    return this.#open
      .filter(
        ({ statement: { start, finalizer } }) => start > target && finalizer && offset < finalizer.start,
      )
      .map(({ statement, order }) => ({ block: statement.finalizer, order }));
  }
}
