/**
 * Work for several processes, each of which asks for the next piece when it has done one. A stage begins when all of them are done with the one before.
 */
export class Stages {
  #stages;
  #processes;
  /** @type {((piece: string | undefined | Promise<string | undefined>) => void)[]} */
  #waiting = [];

  /** @param {string[][]} stages @param {number} processes */
  constructor(stages, processes) {
    this.#stages = stages.map((stage) => [...stage]);
    this.#processes = processes;
  }

  /** @returns {Promise<string | undefined>} what a process is to do next; undefined: there is nothing left */
  async next() {
    const [stage] = this.#stages;
    if (!stage || stage.length > 0) return stage?.shift();
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#beginNext();
    });
  }

  /** A process has ended, maybe in the middle of its work: nobody waits for it. */
  leave() {
    this.#processes--;
    this.#beginNext();
  }

  #beginNext() {
    if (this.#waiting.length < this.#processes) return;
    this.#stages.shift();
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const answer of waiting) answer(this.next());
  }
}
