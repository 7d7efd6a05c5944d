/**
 * What esbuild's output depends on beside its modules has to be part of the hashes in names: a comment at the end of each script while
 * these are made, which is taken out again.
 */
export class EsbuildSalt {
  #mark;
  #marked;

  /** @param {string} salt of the files' content */
  constructor(salt) {
    this.#mark = `/*polyprof ${salt}*/`;
    const pattern = this.#mark.replace(/[/*]/g, '\\$&');
    this.#marked = new RegExp(`^${pattern}\\n|${pattern}`, 'm');
  }

  /** @param {Record<string, string>} [footer] option of esbuild @returns {Record<string, string>} */
  addedTo(footer) {
    return { ...footer, js: `${footer?.js ?? ''}${this.#mark}` };
  }

  /** @param {string} code @returns {string} */
  takenFrom(code) {
    return code.replace(this.#marked, '');
  }
}
