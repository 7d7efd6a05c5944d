/**
 * A 64-bit FNV-1a-like hash over everything a workload produces: two 32-bit lanes, since that is what `Math.imul` is exact for.
 * It tells a changed output from an unchanged one; it is no defence against an adversary.
 */

const PRIME = 0x01000193;

export class Digest {
  #low = 0x811c9dc5;
  #high = 0x9dc5811c;

  /** @param {string} text hashed by UTF-16 code unit, with its end marked, so that `ab`, `c` differs from `a`, `bc` */
  add(text) {
    let low = this.#low;
    let high = this.#high;
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      low = Math.imul(low ^ unit, PRIME);
      high = Math.imul(high ^ (unit + i), PRIME);
    }
    this.#low = Math.imul(low ^ 0x10000, PRIME);
    this.#high = Math.imul(high ^ 0x10000, PRIME);
  }

  /** @returns {string} 16 hexadecimal digits */
  toString() {
    return [this.#high, this.#low].map((lane) => (lane >>> 0).toString(16).padStart(8, '0')).join('');
  }
}
