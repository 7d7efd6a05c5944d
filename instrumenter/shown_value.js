/** How messages show what was given in place of an option's value. @param {unknown} value @returns {string} */
export function shownValue(value) {
  if (typeof value === 'string') return `'${value}'`;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
