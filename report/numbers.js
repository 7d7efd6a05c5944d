/** @param {number} part @param {number} whole @returns {string} per cent, one decimal */
export function percent(part, whole) {
  return (whole === 0 ? 0 : (100 * part) / whole).toFixed(1);
}

/** @param {number} count @returns {string} with commas between thousands */
export function formatCount(count) {
  return count.toLocaleString('en');
}
