/** A file that is no valid ProfilerTrace: the message names the file and the place in it. */
export class TraceError extends Error {
  /**
   * @param {string} file as the user named it
   * @param {string} place path of the value in it, e.g. `stacks[3].parentId`; empty: the file as a whole
   * @param {string} problem
   */
  constructor(file, place, problem) {
    super(`${file}: ${place ? `${place} ` : ''}${problem}`);
    this.name = 'TraceError';
    this.file = file;
    this.place = place;
    this.problem = problem;
  }

  /** @param {string} outer place in the file, e.g. `line 3`; may be empty @returns {TraceError} the same of what is there */
  within(outer) {
    if (!outer) return this;
    return new TraceError(this.file, this.place ? `${outer}: ${this.place}` : outer, this.problem);
  }
}

/** A file that cannot be read, whatever is in it. */
export class FileError extends TraceError {
  /** @param {string} file @param {string} problem */
  constructor(file, problem) {
    super(file, '', problem);
  }
}
