import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { CHOOSER_FILE, distFile } from '../files/dist_files.js';
import { withSourceMapComment } from '../maps/source_map_comment.js';
import { instrumentHtml } from '../pages/html.js';
import { SourceError } from '../source_error.js';
import { sourceFilter } from '../sources/source_filter.js';
import { sourcePath } from '../sources/source_path.js';
import { isPage, KEPT } from '../variants/build_variants.js';
import { plainName } from '../variants/twin_name.js';
import { FollowingFiles } from './following_files.js';
import { PageDigests } from './page_digests.js';
import { pageVariants } from './page_variants.js';
import { readSourceMap } from './read_source_map.js';
import { ScriptDigests } from './script_digests.js';
import { instrumentScripts } from './script_pool.js';
import { SiteOutput } from './site_output.js';
import { textOf } from './text_of.js';

/** @typedef {import('./plan_files.js').FileJob} FileJob */
/** @typedef {import('./instrument_files.js').FileOptions} FileOptions */
/** @typedef {import('./read_source_map.js').ScriptMap} ScriptMap */

/** Bytes of a file that lists digests, at most. Larger ones are data. */
const LONGEST_LIST = 16e6;

/** What patterns for sources are relative to. */
const ROOT = process.cwd();

/** The files of one site, one after the other, and what there is to say of them. */
export class SiteRun {
  /** @type {import('./instrument_files.js').Report} */
  report = { files: [], adapted: 0, copied: 0, errors: [], notes: [], sources: new Set() };
  /** Scripts that are no longer what they were, and twins, by name. @type {Map<string, string | Uint8Array>} */
  #changed = new Map();
  #digests = new ScriptDigests();
  #pageDigests = new PageDigests(this.#changed, this.#digests);
  #output;
  #options;
  #twins;
  #polyfill;
  #files;

  /**
   * @param {FileOptions} options
   * @param {number} all files that will be written
   * @param {import('../variants/twins.js').Twins} [twins] scripts that are there twice, if there are variants
   * @param {string | null} [polyfill] see `pageVariants`
   * @param {ReadonlySet<string>} [files] ditto
   */
  constructor(options, all, twins, polyfill = null, files = new Set()) {
    this.#options = options;
    this.#output = new SiteOutput(options, all, this.report);
    /** For what is done last. */
    this.following = new FollowingFiles(this.#output, this.report.notes);
    this.#twins = twins;
    this.#polyfill = polyfill;
    this.#files = files;
  }

  /** What decides on probes, of scripts and pages alike, but the calibration. */
  get #settings() {
    const { probe, minWeight, budget, endpoint } = this.#options;
    return { probe, minWeight, budget, endpoint };
  }

  get #hasPatterns() {
    const { include, exclude } = this.#options.sources;
    return include.length + exclude.length > 0;
  }

  /** @param {string} page whose inline scripts have no other source */
  #settingsOf(page) {
    const { calibration, sources } = this.#options;
    if (!this.#hasPatterns) return { ...this.#settings, calibration };
    this.report.sources.add(page);
    const isSelected = sourceFilter(sources)(page);
    return { ...this.#settings, calibration, selectSource: () => isSelected };
  }

  /** @param {FileJob[]} jobs @param {FileJob[]} others that get no probes, and may name digests of those that do */
  async scripts(jobs, others = []) {
    const { sources, cache, threads, calibration } = this.#options;
    /** @type {{job: FileJob, had: ScriptMap, task: import('./script_task.js').ScriptTask}[]} */
    const due = [];
    for (const job of jobs) {
      const code = textOf(job);
      if (code === null) {
        this.#noteEncoding(job);
        this.copy(job);
        continue;
      }
      const had = readSourceMap(code, job.input);
      const inputMap = had.map;
      if (had.problem) this.report.notes.push(`${job.input}: ${had.problem}`);
      const sourceMap = this.#options.sourceMap || inputMap !== null;
      const folder = path.resolve(path.dirname(job.input));
      const { name } = job;
      this.#noteSources(name, had, folder);
      const task = {
        code,
        name,
        folder,
        root: ROOT,
        ...this.#settings,
        sources,
        sourceMap,
        inputMap,
        ...(this.#twins && { twins: twinsNamedIn(code, this.#twins) }),
      };
      const known = cache.read(task);
      if (known) this.#script(job, had, code, known);
      else due.push({ job, had, task });
    }
    const tasks = due.map(({ task }) => task);
    await instrumentScripts(tasks, { threads, calibration }, (index, outcome) => {
      const { job, had, task } = due[index];
      if (outcome instanceof SourceError) {
        this.#noteError(job, outcome);
        this.#digests.add(job.name, task.code, task.code);
        return this.copy(job);
      }
      cache.write(task, outcome);
      this.#script(job, had, task.code, outcome);
    });
    for (const job of others) {
      if (fs.statSync(job.input).size > LONGEST_LIST) continue;
      const text = textOf(job);
      if (text !== null) this.#digests.add(job.name, text, text);
    }
    this.#updateDigests(new Map([...jobs, ...others].map((job) => [job.name, job])), new Set(others));
  }

  /** @param {Map<string, FileJob>} jobs by name @param {Set<FileJob>} others of them that were not copied yet */
  #updateDigests(jobs, others) {
    for (const [name, code] of this.#digests.changed) {
      const job = /** @type {FileJob} */ (jobs.get(name));
      if (!this.#changed.has(name)) {
        this.report.adapted++;
        if (!others.has(job)) this.report.copied--;
      }
      this.#changed.set(name, code);
      this.#output.replace(job.output, code);
    }
  }

  /** @param {string} name of a script @param {ScriptMap} had @param {string} folder */
  #noteSources(name, { map, sources }, folder) {
    if (!this.#hasPatterns) return;
    const paths = map ? sources.map((source) => sourcePath(source, { root: ROOT, folder })) : [name];
    for (const path of paths) this.report.sources.add(path);
  }

  /** @param {FileJob} job one that was selected, when all scripts are done */
  page(job) {
    const input = textOf(job);
    if (input === null) {
      this.#noteEncoding(job);
      return this.plainPage(job);
    }
    const { variants } = this.#options;
    if (variants) return this.#choosingPage(job, input, variants);
    const html = this.#withDigests(input, job);
    let result;
    try {
      result = instrumentHtml(html, { file: job.name, ...this.#settingsOf(job.name) });
    } catch (error) {
      this.#noteError(job, error);
      return this.#output.update(job, input, html);
    }
    if (result.table && POLICY.test(html) && /'sha(256|384|512)-/.test(html)) {
      this.report.notes.push(
        `${job.input}: its content security policy names digests of inline scripts, which have changed`,
      );
    }
    this.#finish(job, result, input, result.code);
    if (result.code === input) return this.copy(job);
    if (!result.table) this.report.adapted++;
    this.#output.done();
  }

  /** @param {FileJob} job one that gets no probes, and may name scripts that have some now */
  plainPage(job) {
    const content = fs.readFileSync(job.input);
    // Addresses and digests are the same in most encodings, and the other bytes stay what they are in this one.
    const encoding = isUtf8(content) ? 'utf8' : 'latin1';
    const html = content.toString(encoding);
    const updated = this.#twins ? html : this.#withDigests(html, job);
    this.#output.update(job, html, updated, encoding);
  }

  /** @param {string} html @param {FileJob} job @returns {string} */
  #withDigests(html, job) {
    const updated = this.#pageDigests.updated(html, job.name);
    for (const name of this.#digests.outdatedIn(updated)) {
      this.report.notes.push(
        `${job.input}: it still has the digest that ${name} had: put the new one where a browser compares it`,
      );
    }
    return updated;
  }

  /**
   * @param {FileJob} job @param {string} html
   * @param {import('../variants/variant_options.js').VariantSettings} variants
   */
  #choosingPage(job, html, variants) {
    const twins = /** @type {import('../variants/twins.js').Twins} */ (this.#twins);
    const digest = (/** @type {string} */ name, /** @type {string} */ algorithm) =>
      createHash(algorithm)
        .update(this.#changed.get(name) ?? '')
        .digest('base64');
    let page;
    try {
      page = pageVariants(html, job.name, {
        variants,
        twins,
        settings: this.#settingsOf(job.name),
        files: this.#files,
        polyfill: this.#polyfill,
        digest,
      });
    } catch (error) {
      this.#noteError(job, error);
      return this.copy(job);
    }
    for (const { name, input, result } of page.scripts) {
      const output = path.join(path.dirname(job.output), path.basename(name));
      this.#finish({ ...job, name, output }, result, input, result.code);
    }
    if (page.isLost) this.report.notes.push(`${job.input}: ${LOST}`);
    if (page.html === html) return this.copy(job);
    if (!BRINGS_POLYFILL.test(page.html)) {
      this.report.notes.push(
        `${job.input}: it has no tag for polyprof.js: sessions with probes have no profiler if no script brings it`,
      );
    }
    if (page.kept.length > 0) this.report.notes.push(`${job.input}: ${KEPT}`);
    if (POLICY.test(html) && variants.chooser === 'inline') {
      this.report.notes.push(
        `${job.input}: its content security policy has to allow the inline chooser, by its nonce or digest`,
      );
    }
    if (variants.chooser === 'external') this.#chooser(job);
    this.#output.adapt(job, page.html);
  }

  /** Writes the script that chooses, once. @param {FileJob} page one that loads it */
  #chooser({ name, output }) {
    const file = path.resolve(output, ...name.split('/').map(() => '..'), CHOOSER_FILE);
    if (!this.#output.isReplaced(file)) this.#output.replace(file, distFile(CHOOSER_FILE));
  }

  /** @param {FileJob} job */
  copy(job) {
    if (this.#twins && plainName(job.name) !== null) this.#changed.set(job.name, fs.readFileSync(job.input));
    this.#output.copy(job);
  }

  /** By file, whatever was done first. */
  sort() {
    const { files, errors, notes } = this.report;
    const order = (/** @type {string} */ name) => `${Number(isPage(name))}${name}`;
    files.sort((a, b) => (order(a.summary.file) < order(b.summary.file) ? -1 : 1));
    errors.sort((a, b) => (String(Object(a).file) < String(Object(b).file) ? -1 : 1));
    notes.sort();
  }

  /** @param {FileJob} job */
  #noteEncoding({ input }) {
    this.report.notes.push(`${input}: is not UTF-8, and got no probes`);
  }

  /** @param {FileJob} job @param {unknown} error */
  #noteError(job, error) {
    if (!(error instanceof SourceError)) throw error;
    error.file = job.input;
    this.report.errors.push(error);
  }

  /**
   * @param {FileJob} job @param {ScriptMap} had its source map
   * @param {string} input @param {import('./script_task.js').ScriptResult} result
   */
  #script(job, had, input, result) {
    if (!result.table) {
      this.#digests.add(job.name, input, input);
      this.#finish(job, result, input, input);
      return this.copy(job);
    }
    let output = result.code;
    const folder = path.dirname(job.output);
    if (result.map) {
      const mapName = `${path.basename(job.output)}.map`;
      if (!had.isHidden || this.#options.sourceMap)
        output = withSourceMapComment(output, encodeURIComponent(mapName));
      this.#output.replace(path.join(folder, mapName), result.map);
      // The plain variant has its map as before.
      if (had.file && !this.#twins)
        this.#output.leaveOut(path.join(folder, path.relative(path.dirname(job.input), had.file)));
    }
    this.#changed.set(job.name, output);
    this.#digests.add(job.name, input, output);
    this.#finish(job, result, input, output);
    this.#output.done();
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
    if (table) this.#output.replace(path.join(path.dirname(job.output), tableName), table);
    if (isChanged) this.#output.replace(job.output, output);
  }
}

/**
 * Only those that it may mean: a script's result does not depend on the others' names.
 * @param {string} code @param {import('../variants/twins.js').Twins} twins
 */
function twinsNamedIn(code, { files }) {
  return [...files].filter((file) => code.includes(path.posix.basename(file)));
}

/** Of pages whose inline scripts are the same in both variants. */
const LOST =
  'its inline scripts have no probes in either variant, as files of their own: it names no file of this folder from which to tell ' +
  'where the folder is served';

/** In pages that choose it may be in an attribute of the chooser. */
const BRINGS_POLYFILL = /\bpolyprof\.m?js\b/;
const POLICY = /http-equiv\s*=\s*["']?content-security-policy/i;
