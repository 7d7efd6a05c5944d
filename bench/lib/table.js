/** Tables in Markdown, as lines. */

/** @param {readonly string[]} cells @returns {string} */
export function row(cells) {
  return `| ${cells.join(' | ')} |`;
}

/** @param {readonly string[]} heads of columns @returns {string[]} */
export function tableHead(heads) {
  return [row(heads), `|${'---|'.repeat(heads.length)}`];
}

/** Shows a row at once: others take their time. @param {string[]} lines @param {readonly string[]} cells */
export function addRow(lines, cells) {
  console.log(row(cells));
  lines.push(row(cells));
}
