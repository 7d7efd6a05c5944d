/** Numbers that look random, by xorshift32. Not `Math.random`: a page that replaced it may count the calls. */
export class Random {
  #state = 0x9e3779b9;

  /** @returns {number} in [0, 1) */
  #uniform() {
    let x = this.#state;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.#state = x;
    return (x >>> 0) / 2 ** 32;
  }

  /** @param {number} mean @returns {number} until the next of what happens at any moment alike; from any moment on, it is as far */
  wait(mean) {
    return -mean * Math.log(1 - this.#uniform());
  }

  /** @param {number} value not negative @returns {number} one of the whole numbers beside it; in the mean, the value */
  whole(value) {
    return Math.floor(value + this.#uniform());
  }
}
