import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { instrument, instrumentHtml, SourceError } from '../instrument.js';
import { readSourceMap, withSourceMapComment } from './source_map_comment.js';
import { writeFileAtomically } from './write_file.js';

/**
 * @typedef {import('./plan_files.js').FileJob} FileJob
 * @typedef {{probe: string, minWeight: number, sourceMap: boolean, selects: (name: string) => boolean}} FileOptions
 * @typedef {object} Report
 * @property {import('../summary.js').Summary[]} summaries of the scripts and pages that were looked at
 * @property {number} copied files that are as they were
 * @property {number} bytesAdded
 * @property {number} bytesAddedGzip
 * @property {(SourceError | Error)[]} errors
 * @property {string[]} notes
 */

const SCRIPT = /\.(js|mjs|cjs)$/i;
const PAGE = /\.html?$/i;

/** @type {Record<string, import('../parse.js').SourceType>} */
const SOURCE_TYPES = { '.mjs': 'module', '.cjs': 'commonjs' };

/**
 * Writes every job's output: instrumented, or a copy. A script that does not parse is copied, and its error reported.
 * @param {FileJob[]} jobs
 * @param {FileOptions} options
 * @returns {Report}
 */
export function instrumentFiles(jobs, options) {
  const run = new Run(options);
  // Pages last: they may name digests of scripts.
  const isPage = (/** @type {FileJob} */ job) => PAGE.test(job.name);
  for (const job of [...jobs.filter((job) => !isPage(job)), ...jobs.filter(isPage)]) run.do(job);
  return run.report;
}

class Run {
  /** @type {Report} */
  report = { summaries: [], copied: 0, bytesAdded: 0, bytesAddedGzip: 0, errors: [], notes: [] };
  /** Scripts that are no longer what they were, by name. @type {Map<string, string>} */
  #changed = new Map();
  /** Output files that are written from something else than a copy. @type {Set<string>} */
  #replaced = new Set();

  /** @param {FileOptions} options */
  constructor(options) {
    this.options = options;
  }

  /** @param {FileJob} job */
  do(job) {
    const isScript = SCRIPT.test(job.name);
    try {
      if ((isScript || PAGE.test(job.name)) && this.options.selects(job.name)) {
        if (isScript ? this.#script(job) : this.#page(job)) return;
      }
    } catch (error) {
      if (error instanceof NotUtf8) return this.#copy(job, error.message);
      if (!(error instanceof SourceError)) throw error;
      error.file = job.input;
      this.report.errors.push(error);
    }
    if (!this.#replaced.has(job.output)) this.#copy(job);
  }

  /** @param {FileJob} job @param {string} [note] why */
  #copy(job, note) {
    if (note) this.report.notes.push(`${job.input}: ${note}`);
    writeFileAtomically(job.output, fs.readFileSync(job.input));
    this.report.copied++;
  }

  /** @param {FileJob} job @returns {boolean} was it changed? */
  #script(job) {
    const code = readText(job.input);
    const { map: inputMap, file: mapFile, problem } = readSourceMap(code, job.input);
    if (problem) this.report.notes.push(`${job.input}: ${problem}`);
    const { probe, minWeight } = this.options;
    const sourceMap = this.options.sourceMap || inputMap !== null;
    const result = instrument(code, {
      file: job.name,
      sourceType: SOURCE_TYPES[path.extname(job.name).toLowerCase()],
      probe,
      minWeight,
      sourceMap,
      inputMap: inputMap ?? undefined,
    });
    if (!this.#finish(job, result)) return false;

    let output = result.code;
    if (result.map) {
      const mapName = `${path.basename(job.output)}.map`;
      output = withSourceMapComment(output, mapName);
      const mapOutput = path.join(path.dirname(job.output), mapName);
      writeFileAtomically(mapOutput, JSON.stringify(result.map));
      this.#replaced.add(mapOutput);
      if (mapFile)
        this.#replaced.add(
          path.join(path.dirname(job.output), path.relative(path.dirname(job.input), mapFile)),
        );
    }
    this.#write(job, code, output);
    this.#changed.set(job.name, output);
    return true;
  }

  /** @param {FileJob} job @returns {boolean} was it changed? */
  #page(job) {
    const html = readText(job.input);
    const { probe, minWeight } = this.options;
    const integrityOf = (/** @type {string} */ url, /** @type {string} */ algorithm) =>
      this.#digest(job.name, url, algorithm);
    const result = instrumentHtml(html, { file: job.name, probe, minWeight, integrityOf });
    if (
      result.table &&
      /http-equiv\s*=\s*["']?content-security-policy/i.test(html) &&
      /'sha(256|384|512)-/.test(html)
    ) {
      this.report.notes.push(
        `${job.input}: its content security policy names digests of inline scripts, which have changed`,
      );
    }
    this.#finish(job, result);
    if (result.code === html) return false;
    this.#write(job, html, result.code);
    return true;
  }

  /** @param {FileJob} job @param {import('../instrument.js').Instrumented} result @returns {boolean} has it probes now? */
  #finish(job, { table, tableName, summary }) {
    this.report.summaries.push(summary);
    for (const { message, line, column } of summary.warnings) {
      this.report.notes.push(`${job.input}:${line}:${column}: ${message}`);
    }
    if (!table) return false;
    const tableOutput = path.join(path.dirname(job.output), tableName);
    writeFileAtomically(tableOutput, table);
    this.#replaced.add(tableOutput);
    return true;
  }

  /** @param {FileJob} job @param {string} input @param {string} output */
  #write(job, input, output) {
    writeFileAtomically(job.output, output);
    this.report.bytesAdded += Buffer.byteLength(output) - Buffer.byteLength(input);
    this.report.bytesAddedGzip += gzipSync(output).length - gzipSync(input).length;
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

class NotUtf8 extends Error {}

/** @param {string} file @returns {string} with its byte order mark */
function readText(file) {
  try {
    return new TextDecoder('utf-8', { ignoreBOM: true, fatal: true }).decode(fs.readFileSync(file));
  } catch (error) {
    if (error instanceof TypeError) throw new NotUtf8('is not UTF-8, and was copied');
    throw error;
  }
}
