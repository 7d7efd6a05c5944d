import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { RESULTS } from './folders.js';

/** @import { Comparison } from '../overhead/comparison.js' */

/** What the figures depend on beside the code. */
export function machine() {
  const [cpu] = cpus();
  return {
    cpu: cpu?.model ?? 'unknown',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    date: new Date().toISOString().slice(0, 10),
  };
}

/**
 * @param {ReturnType<typeof machine>} host
 * @param {readonly Comparison[]} comparisons
 * @returns {string} Markdown: a line per engine, workload and variant; a refused one has the reason in place of figures
 */
export function markdown(host, comparisons) {
  const lines = [
    `${host.cores} × ${host.cpu}, ${host.memoryGiB} GiB, Node ${host.node}, ${host.date}. Time relative to the plain page, median and`,
    '95 % bootstrap interval over blocks; below 1 is faster.',
    '',
    '| engine | workload | plain, ms | variant | ratio | interval |',
    '|---|---|---|---|---|---|',
  ];
  for (const { engine, version, workload, baselineMs, rows, refusal } of comparisons) {
    const start = `| ${engine} ${version} | ${workload} | ${baselineMs.toFixed(0)} |`;
    if (refusal) {
      lines.push(`${start} none | refused | ${refusal} |`);
      continue;
    }
    for (const { name, ratio, interval } of rows) {
      lines.push(
        `${start} ${name} | ${ratio.toFixed(3)} | ${interval.map((bound) => bound.toFixed(3)).join(' – ')} |`,
      );
    }
  }
  return `${lines.join('\n')}\n\n${speeds(comparisons)}`;
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
    'Speed relative to the plain page: geometric mean over the workloads that were not refused, and the slowest one.',
    '',
    `| | ${engines.join(' | ')} |`,
    `|---|${'---|'.repeat(engines.length)}`,
  ];
  for (const name of names) {
    const cells = engines.map((engine) => {
      const found = measured
        .filter((comparison) => comparison.engine === engine)
        .flatMap(({ workload, rows }) => {
          const row = rows.find((candidate) => candidate.name === name);
          return row ? [{ workload, speed: 1 / row.ratio }] : [];
        });
      if (found.length === 0) return '';
      const mean = Math.exp(found.reduce((sum, { speed }) => sum + Math.log(speed), 0) / found.length);
      const slowest = found.reduce((a, b) => (b.speed < a.speed ? b : a));
      return `${mean.toFixed(3)} (${slowest.workload} ${slowest.speed.toFixed(3)}; ${found.length})`;
    });
    lines.push(`| ${name} | ${cells.join(' | ')} |`);
  }
  return `${lines.join('\n')}\n`;
}

/** Shows a row of a table at once, which others follow. @param {string[]} table @param {readonly string[]} cells of its new row */
export function addRow(table, cells) {
  const row = `| ${cells.join(' | ')} |`;
  console.log(row);
  table.push(row);
}

/** @param {string} name of a file in bench/results/ @param {string} text */
export function writeResult(name, text) {
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(join(RESULTS, name), text);
}

/** Ends a bench: shows its lines together, and keeps them. @param {string} name of a file in bench/results/ @param {string[]} lines */
export function writeLines(name, lines) {
  const text = `${lines.join('\n')}\n`;
  writeResult(name, text);
  console.log(`\n${text}`);
}
