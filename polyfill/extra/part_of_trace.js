/**
 * @typedef {{resources: string[], frames: {resourceId?: number}[], stacks: {frameId: number, parentId?: number}[],
 *   samples: {timestamp: number, stackId?: number}[]}} Trace a ProfilerTrace
 */

/**
 * Some of a trace's samples, with what they refer to and nothing else.
 * @param {Trace} trace
 * @param {number} from index of the first sample
 * @param {number} to index after the last
 * @returns {Trace}
 */
export function partOfTrace(trace, from, to) {
  const resources = new Kept(trace.resources, (url) => url);
  const frames = new Kept(trace.frames, (frame) =>
    frame.resourceId === undefined ? frame : { ...frame, resourceId: resources.number(frame.resourceId) },
  );
  /** @type {Kept<Trace['stacks'][number]>} */
  const stacks = new Kept(trace.stacks, ({ frameId, parentId }) => ({
    frameId: frames.number(frameId),
    ...(parentId !== undefined && { parentId: stacks.number(parentId) }),
  }));
  const samples = trace.samples.slice(from, to).map((sample) => {
    if (sample.stackId === undefined) return sample;
    // Callers first: a parent comes before its children, and no recursion as deep as the stack.
    const path = [];
    for (let id = sample.stackId; !stacks.has(id); id = trace.stacks[id].parentId ?? NaN) {
      if (Number.isNaN(id)) break;
      path.push(id);
    }
    while (path.length > 0) stacks.number(/** @type {number} */ (path.pop()));
    return { ...sample, stackId: stacks.number(sample.stackId) };
  });
  return { resources: resources.rows, frames: frames.rows, stacks: stacks.rows, samples };
}

/** New numbers for those rows of a list that are needed, in the order of need. @template T */
class Kept {
  /** @type {T[]} */
  rows = [];
  /** @type {Map<number, number>} */
  #numbers = new Map();
  #all;
  #renumbered;

  /** @param {T[]} all @param {(row: T) => T} renumbered */
  constructor(all, renumbered) {
    this.#all = all;
    this.#renumbered = renumbered;
  }

  /** @param {number} row */
  has(row) {
    return this.#numbers.has(row);
  }

  /** @param {number} row @returns {number} */
  number(row) {
    let number = this.#numbers.get(row);
    if (number === undefined) {
      const renumbered = this.#renumbered(this.#all[row]);
      number = this.rows.push(renumbered) - 1;
      this.#numbers.set(row, number);
    }
    return number;
  }
}
