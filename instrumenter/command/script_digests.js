import { createHash } from 'node:crypto';

/** What `integrity` has (pages/integrity.js), anywhere in a script: only what is as long as a digest is taken for one. */
const DIGEST = /sha(256|384|512)-[A-Za-z0-9+/]{43,86}={0,2}/g;

const ALGORITHMS = ['256', '384', '512'];

/**
 * Digests of scripts in other scripts, such as webpack's runtime has of what it loads, and in import maps: a changed script would be refused. New ones are as long
 * as they were, so nothing else moves.
 */
export class ScriptDigests {
  /** @type {Map<string, {input: string, output: string}>} by name */
  #scripts = new Map();
  /** Names by digest of what they were. @type {Map<string, string> | undefined} */
  #names;
  /** What is right in the end. @type {Map<string, string>} by name */
  #final = new Map();

  /** All scripts that have changed or name digests, before any is asked for. @param {string} name @param {string} input @param {string} output */
  add(name, input, output) {
    if (output !== input || new RegExp(DIGEST).test(output)) this.#scripts.set(name, { input, output });
  }

  /** @returns {Map<string, string>} by name, those whose digests are others now */
  get changed() {
    const names = [...this.#scripts.keys()].filter(
      (name) => this.#finalOf(name) !== this.#scripts.get(name)?.output,
    );
    return new Map(names.map((name) => [name, this.#finalOf(name)]));
  }

  /** @param {string} text of a page or script @returns {string} the same with digests of the scripts as they are now */
  updated(text) {
    return text.replace(DIGEST, (digest, bits) => {
      const name = this.#nameOf(digest);
      return name === undefined ? digest : digestOf(this.#finalOf(name), bits);
    });
  }

  /** @param {string} text @returns {string[]} names of the changed scripts of which it has the digest from before */
  outdatedIn(text) {
    const names = new Set([...text.matchAll(DIGEST)].flatMap(([digest]) => this.#nameOf(digest) ?? []));
    return [...names].filter((name) => this.#finalOf(name) !== this.#scripts.get(name)?.input);
  }

  /** @param {string} name @returns {string} */
  #finalOf(name) {
    const known = this.#final.get(name);
    if (known !== undefined) return known;
    const { output } = /** @type {{output: string}} */ (this.#scripts.get(name));
    // Scripts that name each other's digests cannot be.
    this.#final.set(name, output);
    const final = this.updated(output);
    this.#final.set(name, final);
    return final;
  }

  /** @param {string} digest */
  #nameOf(digest) {
    this.#names ??= new Map(
      [...this.#scripts].flatMap(([name, { input }]) =>
        ALGORITHMS.map((bits) => /** @type {const} */ ([digestOf(input, bits), name])),
      ),
    );
    return this.#names.get(digest);
  }
}

/** @param {string} text @param {string} bits */
function digestOf(text, bits) {
  return `sha${bits}-${createHash(`sha${bits}`).update(text).digest('base64')}`;
}
