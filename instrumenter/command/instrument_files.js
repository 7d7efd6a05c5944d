import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { instrumentHtml, SourceError } from '../instrument.js';
import { instrumentScripts } from './script_pool.js';
import { readSourceMap, withSourceMapComment } from './source_map_comment.js';
import { writeFileAtomically } from './write_file.js';

/**
 * @typedef {import('./plan_files.js').FileJob} FileJob
 * @typedef {object} FileOptions
 * @property {string} probe
 * @property {number} minWeight
 * @property {boolean} sourceMap
 * @property {(name: string) => boolean} selects
 * @property {{include: string[], exclude: string[]}} sources
 * @property {number} threads
 * @property {import('./result_cache.js').ResultCache} cache
 * @property {boolean} check true: nothing is written
 * @property {(done: number, all: number) => void} [onProgress]
 *
 * @typedef {{summary: import('../summary.js').Summary, bytesAdded: number, bytesAddedGzip: number}} FileReport
 * @typedef {object} Report
 * @property {FileReport[]} files the scripts and pages that were looked at
 * @property {number} copied files that are as they were
 * @property {(SourceError | Error)[]} errors
 * @property {string[]} notes
 */

const SCRIPT = /\.(js|mjs|cjs)$/i;
const PAGE = /\.html?$/i;

/**
 * Writes every job's output: instrumented, or a copy. A script that does not parse is copied, and its error reported.
 * @param {FileJob[]} jobs
 * @param {FileOptions} options
 * @returns {Promise<Report>}
 */
export async function instrumentFiles(jobs, options) {
  const selected = jobs.filter(({ name }) => options.selects(name));
  const scripts = selected.filter(({ name }) => SCRIPT.test(name));
  const pages = selected.filter(({ name }) => PAGE.test(name));
  const others = new Set(jobs);
  for (const job of [...scripts, ...pages]) others.delete(job);

  const run = new Run(options, jobs.length);
  await run.scripts(scripts);
  for (const job of others) run.copy(job);
  // Pages last: they may name digests of scripts.
  for (const job of pages) run.page(job);
  run.sort();
  return run.report;
}

class Run {
  /** @type {Report} */
  report = { files: [], copied: 0, errors: [], notes: [] };
  /** Scripts that are no longer what they were, by name. @type {Map<string, string>} */
  #changed = new Map();
  /** Output files that are written from something else than a copy. @type {Set<string>} */
  #replaced = new Set();
  #done = 0;
  #all;
  #options;

  /** @param {FileOptions} options @param {number} all files */
  constructor(options, all) {
    this.#options = options;
    this.#all = all;
  }

  /** @param {FileJob[]} jobs */
  async scripts(jobs) {
    const { probe, minWeight, sources, cache, threads } = this.#options;
    /** @type {{job: FileJob, mapFile: string | null, task: import('./script_task.js').ScriptTask}[]} */
    const due = [];
    for (const job of jobs) {
      const code = this.#read(job);
      if (code === null) continue;
      const { map: inputMap, file: mapFile, problem } = readSourceMap(code, job.input);
      if (problem) this.report.notes.push(`${job.input}: ${problem}`);
      const sourceMap = this.#options.sourceMap || inputMap !== null;
      const folder = path.resolve(path.dirname(job.input));
      const { name } = job;
      const task = {
        code,
        name,
        folder,
        root: process.cwd(),
        probe,
        minWeight,
        sources,
        sourceMap,
        inputMap,
      };
      const known = cache.read(task);
      if (known) this.#script(job, mapFile, code, known);
      else due.push({ job, mapFile, task });
    }
    const tasks = due.map(({ task }) => task);
    await instrumentScripts(tasks, threads, (index, outcome) => {
      const { job, mapFile, task } = due[index];
      if (outcome instanceof SourceError) return this.#failed(job, outcome);
      cache.write(task, outcome);
      this.#script(job, mapFile, task.code, outcome);
    });
  }

  /** @param {FileJob} job */
  page(job) {
    const html = this.#read(job);
    if (html === null) return;
    const { probe, minWeight } = this.#options;
    const integrityOf = (/** @type {string} */ url, /** @type {string} */ algorithm) =>
      this.#digest(job.name, url, algorithm);
    let result;
    try {
      result = instrumentHtml(html, { file: job.name, probe, minWeight, integrityOf });
    } catch (error) {
      if (error instanceof SourceError) return this.#failed(job, error);
      throw error;
    }
    if (result.table && POLICY.test(html) && /'sha(256|384|512)-/.test(html)) {
      this.report.notes.push(
        `${job.input}: its content security policy names digests of inline scripts, which have changed`,
      );
    }
    if (this.#changed.size > 0 && IMPORT_MAP_DIGESTS.test(html)) {
      this.report.notes.push(
        `${job.input}: its import map names digests of scripts, which may have changed: they are left as they are`,
      );
    }
    this.#finish(job, result, html, result.code);
    if (result.code === html) this.copy(job);
    else this.#written();
  }

  /** @param {FileJob} job @param {string} [note] why */
  copy(job, note) {
    if (note) this.report.notes.push(`${job.input}: ${note}`);
    if (!this.#replaced.has(job.output)) {
      if (!this.#options.check) writeFileAtomically(job.output, fs.readFileSync(job.input));
      this.report.copied++;
    }
    this.#written();
  }

  /** By file, whatever was done first. */
  sort() {
    const { files, errors, notes } = this.report;
    const order = (/** @type {string} */ name) => `${Number(PAGE.test(name))}${name}`;
    files.sort((a, b) => (order(a.summary.file) < order(b.summary.file) ? -1 : 1));
    errors.sort((a, b) => (String(Object(a).file) < String(Object(b).file) ? -1 : 1));
    notes.sort();
  }

  #written() {
    this.#options.onProgress?.(++this.#done, this.#all);
  }

  /** @param {FileJob} job @returns {string | null} with its byte order mark; null: it was copied */
  #read(job) {
    try {
      return new TextDecoder('utf-8', { ignoreBOM: true, fatal: true }).decode(fs.readFileSync(job.input));
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      this.copy(job, 'is not UTF-8, and was copied');
      return null;
    }
  }

  /** @param {FileJob} job @param {SourceError} error */
  #failed(job, error) {
    error.file = job.input;
    this.report.errors.push(error);
    this.copy(job);
  }

  /**
   * @param {FileJob} job @param {string | null} mapFile where its source map was
   * @param {string} input @param {import('./script_task.js').ScriptResult} result
   */
  #script(job, mapFile, input, result) {
    if (!result.table) {
      this.#finish(job, result, input, input);
      return this.copy(job);
    }
    let output = result.code;
    const folder = path.dirname(job.output);
    if (result.map) {
      const mapName = `${path.basename(job.output)}.map`;
      output = withSourceMapComment(output, mapName);
      this.#replace(path.join(folder, mapName), result.map);
      if (mapFile) this.#replaced.add(path.join(folder, path.relative(path.dirname(job.input), mapFile)));
    }
    this.#changed.set(job.name, output);
    this.#finish(job, result, input, output);
    this.#written();
  }

  /**
   * @param {FileJob} job
   * @param {{table: Uint8Array | null, tableName: string, summary: import('../summary.js').Summary}} result
   * @param {string} input @param {string} output
   */
  #finish(job, { table, tableName, summary }, input, output) {
    for (const { message, line, column } of summary.warnings) {
      this.report.notes.push(`${job.input}:${line}:${column}: ${message}`);
    }
    const isChanged = output !== input;
    this.report.files.push({
      summary,
      bytesAdded: Buffer.byteLength(output) - Buffer.byteLength(input),
      bytesAddedGzip: isChanged ? gzipSync(output).length - gzipSync(input).length : 0,
    });
    if (table) this.#replace(path.join(path.dirname(job.output), tableName), table);
    if (isChanged) this.#replace(job.output, output);
  }

  /** @param {string} file @param {string | Uint8Array} content */
  #replace(file, content) {
    if (!this.#options.check) writeFileAtomically(file, content);
    this.#replaced.add(file);
  }

  /** @param {string} page name @param {string} url as the page has it @param {string} algorithm @returns {string | null} */
  #digest(page, url, algorithm) {
    const base = 'http://site.invalid/';
    const target = URL.canParse(url, base + page) ? new URL(url, base + page) : null;
    if (!target?.href.startsWith(base)) return null;
    const script = this.#changed.get(decodeURIComponent(target.pathname.slice(1)));
    return script === undefined ? null : createHash(algorithm).update(script).digest('base64');
  }
}

const POLICY = /http-equiv\s*=\s*["']?content-security-policy/i;
const IMPORT_MAP_DIGESTS = /<script[^>]*type\s*=\s*["']?importmap[^]*?"integrity"\s*:\s*\{[^}]/i;
