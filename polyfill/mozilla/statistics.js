/** `Profiler.Statistics`: of numbers, without keeping them. Of none, all but `count` are NaN. */
export class Statistics {
  #count = 0;
  #sum = 0;
  #min = NaN;
  #max = NaN;

  /** @param {number} value @throws {TypeError} it is no finite number */
  insert(value) {
    if (!Number.isFinite(value))
      throw new TypeError(`Statistics.insert: ${String(value)} is no finite number`);
    this.#min = this.#count > 0 ? Math.min(this.#min, value) : value;
    this.#max = this.#count > 0 ? Math.max(this.#max, value) : value;
    this.#count++;
    this.#sum += value;
  }

  get count() {
    return this.#count;
  }

  get min() {
    return this.#min;
  }

  get max() {
    return this.#max;
  }

  get mean() {
    return this.#sum / this.#count;
  }
}
