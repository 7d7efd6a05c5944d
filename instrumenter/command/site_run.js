import fs from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { SourceError } from '../source_error.js';
import { sourceFilter } from '../sources/source_filter.js';
import { isPage } from '../variants/build_variants.js';
import { plainName } from '../variants/twin_name.js';
import { FollowingFiles } from './following_files.js';
import { ScriptDigests } from './script_digests.js';
import { SiteOutput } from './site_output.js';
import { SitePages } from './site_pages.js';
import { SiteScripts } from './site_scripts.js';

/** @typedef {import('./plan_files.js').FileJob} FileJob */
/** @typedef {import('./instrument_files.js').FileOptions} FileOptions */

/** The files of one site, one after the other, and what there is to say of them. */
export class SiteRun {
  /** @type {import('./instrument_files.js').Report} */
  report = { files: [], adapted: 0, copied: 0, errors: [], notes: [], sources: new Set() };
  /** Scripts that are no longer what they were, and twins, by name. @type {Map<string, string | Uint8Array>} */
  changed = new Map();
  /** Of all scripts. */
  digests = new ScriptDigests();
  options;
  /** Scripts that are there twice, if there are variants. */
  twins;
  output;
  /** Done first. */
  scripts;
  /** Done when all scripts are. */
  pages;
  /** Done last. */
  following;

  /**
   * @param {FileOptions} options
   * @param {object} site
   * @param {number} site.all files that will be written
   * @param {ReadonlySet<string>} site.files names of all that is there
   * @param {string | null} site.polyfill see `pageVariants`
   * @param {import('../variants/twins.js').Twins} [site.twins]
   */
  constructor(options, { all, twins, ...site }) {
    this.options = options;
    this.twins = twins;
    this.output = new SiteOutput(options, all, this.report);
    this.scripts = new SiteScripts(this);
    this.pages = new SitePages(this, site);
    this.following = new FollowingFiles(this.output, this.report.notes);
  }

  /** What decides on probes, of scripts and pages alike, but the calibration. */
  get settings() {
    const { probe, minWeight, budget, endpoint } = this.options;
    return { probe, minWeight, budget, endpoint };
  }

  get hasPatterns() {
    const { include, exclude } = this.options.sources;
    return include.length + exclude.length > 0;
  }

  /** @param {string} page whose inline scripts have no other source */
  settingsOf(page) {
    const { calibration, sources } = this.options;
    if (!this.hasPatterns) return { ...this.settings, calibration };
    this.report.sources.add(page);
    const isSelected = sourceFilter(sources)(page);
    return { ...this.settings, calibration, selectSource: () => isSelected };
  }

  /** @param {FileJob} job */
  copy(job) {
    if (this.twins && plainName(job.name) !== null) this.changed.set(job.name, fs.readFileSync(job.input));
    this.output.copy(job);
  }

  /** By file, whatever was done first. */
  sort() {
    const { files, errors, notes } = this.report;
    const order = (/** @type {string} */ name) => `${Number(isPage(name))}${name}`;
    files.sort((a, b) => (order(a.summary.file) < order(b.summary.file) ? -1 : 1));
    errors.sort((a, b) => (String(Object(a).file) < String(Object(b).file) ? -1 : 1));
    notes.sort();
  }

  /** @param {FileJob} job @param {string} text */
  note({ input }, text) {
    this.report.notes.push(`${input}: ${text}`);
  }

  /** @param {FileJob} job */
  noteEncoding(job) {
    this.note(job, 'is not UTF-8, and got no probes');
  }

  /** @param {FileJob} job @param {unknown} error */
  noteError(job, error) {
    if (!(error instanceof SourceError)) throw error;
    error.file = job.input;
    this.report.errors.push(error);
  }

  /**
   * @param {FileJob} job
   * @param {{table: Uint8Array | null, tableName: string, summary: import('../summary.js').Summary}} result
   * @param {string} input @param {string} output
   */
  finish(job, { table, tableName, summary }, input, output) {
    for (const { message, line, column } of summary.warnings) {
      this.report.notes.push(`${job.input}:${line}:${column}: ${message}`);
    }
    const isChanged = output !== input;
    this.report.files.push({
      summary,
      bytesAdded: Buffer.byteLength(output) - Buffer.byteLength(input),
      bytesAddedGzip: isChanged ? gzipSync(output).length - gzipSync(input).length : 0,
    });
    if (table) this.output.replace(path.join(path.dirname(job.output), tableName), table);
    if (isChanged) this.output.replace(job.output, output);
  }
}
