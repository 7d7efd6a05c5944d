const SYLLABLES = ['ka', 'to', 'mi', 'ru', 'ne', 'so', 'la', 've'];

/** Made-up words, and which of them are close to another one. */
export class WordIndex {
  #words;

  /** @param {number} count of words */
  constructor(count) {
    this.#words = Array.from({ length: count }, (_, n) => wordOf(n));
  }

  /** @param {string} word @param {number} count @returns {string[]} the closest first */
  closest(word, count) {
    /** @type {string[][]} */
    const byDistance = [];
    for (const other of this.#words) (byDistance[editDistance(word, other)] ??= []).push(other);
    /** @type {string[]} */
    let closest = [];
    for (const words of byDistance) {
      if (words) closest = closest.concat(words.sort());
      if (closest.length >= count) break;
    }
    return closest.slice(0, count);
  }
}

/** @param {number} n @returns {string} */
function wordOf(n) {
  let word = '';
  do word += SYLLABLES[n % SYLLABLES.length];
  while ((n = Math.floor(n / SYLLABLES.length)) > 0);
  return word;
}

/** Levenshtein's. @param {string} a @param {string} b @returns {number} */
function editDistance(a, b) {
  let above = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const substituted = above[j - 1] + Number(a[i - 1] !== b[j - 1]);
      row[j] = Math.min(substituted, above[j] + 1, row[j - 1] + 1);
    }
    above = row;
  }
  return above[b.length];
}
