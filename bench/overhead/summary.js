import { hostLine } from '../lib/host.js';
import { row, tableHead } from '../lib/table.js';

/** @import { Comparison, Row } from './comparison.js' */

/**
 * @param {readonly Comparison[]} comparisons
 * @returns {string} Markdown: a line per engine, workload and variant; a refused one has the reason in place of figures
 */
export function summaryOf(comparisons) {
  const lines = [
    `${hostLine()}. Time relative to the plain page, of self-timed`,
    'pages to the plain one that is not isolated either; median and 95 % bootstrap interval over blocks; below 1 is faster.',
    '',
    ...tableHead(['engine', 'workload', 'plain, ms', 'variant', 'ratio', 'interval']),
  ];
  for (const { engine, version, workload, baselineMs, rows, refusal } of comparisons) {
    const start = [`${engine} ${version}`, workload, baselineMs.toFixed(0)];
    if (refusal) lines.push(row([...start, 'none', 'refused', refusal]));
    else for (const each of rows) lines.push(row([...start, ...cellsOf(each)]));
  }
  return `${lines.join('\n')}\n\n${speeds(comparisons)}`;
}

/** @param {Row} row */
function cellsOf({ name, ratio, interval }) {
  return [name, ratio.toFixed(3), interval.map((bound) => bound.toFixed(3)).join(' – ')];
}

/**
 * @param {readonly Comparison[]} comparisons
 * @returns {string} Markdown: speed relative to the plain page, geometric mean over the workloads, and the slowest of them
 */
export function speeds(comparisons) {
  const measured = comparisons.filter(({ refusal }) => !refusal);
  const engines = [...new Set(measured.map(({ engine }) => engine))];
  const names = [...new Set(measured.flatMap(({ rows }) => rows.map(({ name }) => name)))];
  const lines = [
    'Speed relative to the plain page, as above: geometric mean over the workloads that were not refused, and the slowest one.',
    '',
    ...tableHead(['', ...engines]),
  ];
  for (const name of names) {
    const cells = engines.map((engine) =>
      speedOf(
        name,
        measured.filter((comparison) => comparison.engine === engine),
      ),
    );
    lines.push(row([name, ...cells]));
  }
  return `${lines.join('\n')}\n`;
}

/** @param {string} name of a variant @param {readonly Comparison[]} comparisons in an engine @returns {string} cell; empty if it was in none */
function speedOf(name, comparisons) {
  const found = comparisons.flatMap(({ workload, rows }) =>
    rows.filter((row) => row.name === name).map(({ ratio }) => ({ workload, speed: 1 / ratio })),
  );
  if (found.length === 0) return '';
  const mean = Math.exp(found.reduce((sum, { speed }) => sum + Math.log(speed), 0) / found.length);
  const slowest = found.reduce((a, b) => (b.speed < a.speed ? b : a));
  return `${mean.toFixed(3)} (${slowest.workload} ${slowest.speed.toFixed(3)}; ${found.length})`;
}
