/** What benches understand on their command lines. Wrong ones end the program with what to write instead. */

/**
 * @template {string} T
 * @param {string} option
 * @param {string | undefined} list separated by commas
 * @param {readonly T[]} known
 * @returns {T[]} those of the list, all without one
 */
export function chosen(option, list, known) {
  const names = list?.split(',') ?? known;
  for (const name of names) {
    if (!known.some((one) => one === name)) refuse(`${option} has '${name}': it takes ${known.join(', ')}`);
  }
  return known.filter((one) => names.includes(one));
}

/** @param {string} option @param {string} text @returns {number} */
export function positive(option, text) {
  const number = Number(text);
  if (!(number > 0 && number < Infinity)) refuse(`${option} is '${text}': it must be a number above 0`);
  return number;
}

/** @param {string} message @returns {never} */
export function refuse(message) {
  console.error(message);
  process.exit(2);
}
