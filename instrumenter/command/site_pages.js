import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { CHOOSER_FILE, distFile } from '../files/dist_files.js';
import { instrumentHtml } from '../pages/html.js';
import { KEPT } from '../variants/build_variants.js';
import { PageDigests } from './page_digests.js';
import { pageVariants } from './page_variants.js';
import { bringsPolyfill } from './polyfill_note.js';
import { textOf } from './text_of.js';

/** @typedef {import('./plan_files.js').FileJob} FileJob */

/** Of pages whose inline scripts are the same in both variants. */
const LOST =
  'its inline scripts have no probes in either variant, as files of their own: it names no file of this folder from which to tell ' +
  'where the folder is served';

const POLICY = /http-equiv\s*=\s*["']?content-security-policy/i;

/** The pages of a site, when all scripts are done: with probes or choosers, and with right digests of the scripts. */
export class SitePages {
  #run;
  /** Names of all files of the site. */
  #files;
  /** Name of the polyfill that a plugin for bundlers left in the output, if there is one. */
  #polyfill;
  #digests;

  /** @param {import('./site_run.js').SiteRun} run @param {{files: ReadonlySet<string>, polyfill: string | null}} site */
  constructor(run, { files, polyfill }) {
    this.#run = run;
    this.#files = files;
    this.#polyfill = polyfill;
    this.#digests = new PageDigests(run.changed, run.digests);
  }

  /** @param {FileJob} job one that was selected */
  instrument(job) {
    const input = textOf(job);
    if (input === null) {
      this.#run.noteEncoding(job);
      return this.adapt(job);
    }
    const { variants } = this.#run.options;
    if (variants) return this.#choosingPage(job, input, variants);
    const html = this.#withDigests(input, job);
    let result;
    try {
      result = instrumentHtml(html, { file: job.name, ...this.#run.settingsOf(job.name) });
    } catch (error) {
      this.#run.noteError(job, error);
      return this.#run.output.update(job, input, html);
    }
    if (result.table && POLICY.test(html) && /'sha(256|384|512)-/.test(html)) {
      this.#run.note(job, 'its content security policy names digests of inline scripts, which have changed');
    }
    this.#run.finish(job, result, input, result.code);
    if (result.code === input) return this.#run.copy(job);
    if (!result.table) this.#run.report.adapted++;
    this.#run.output.done();
  }

  /** @param {FileJob} job one that gets no probes, and may name scripts that have some now */
  adapt(job) {
    const content = fs.readFileSync(job.input);
    // Addresses and digests are the same in most encodings, and the other bytes stay what they are in this one.
    const encoding = isUtf8(content) ? 'utf8' : 'latin1';
    const html = content.toString(encoding);
    const updated = this.#run.twins ? html : this.#withDigests(html, job);
    this.#run.output.update(job, html, updated, encoding);
  }

  /** @param {string} html @param {FileJob} job @returns {string} */
  #withDigests(html, job) {
    const updated = this.#digests.updated(html, job.name);
    for (const name of this.#run.digests.outdatedIn(updated)) {
      this.#run.note(
        job,
        `it still has the digest that ${name} had: put the new one where a browser compares it`,
      );
    }
    return updated;
  }

  /**
   * @param {FileJob} job @param {string} html
   * @param {import('../variants/variant_options.js').VariantSettings} variants
   */
  #choosingPage(job, html, variants) {
    const twins = /** @type {import('../variants/twins.js').Twins} */ (this.#run.twins);
    const digest = (/** @type {string} */ name, /** @type {string} */ algorithm) =>
      createHash(algorithm)
        .update(this.#run.changed.get(name) ?? '')
        .digest('base64');
    let page;
    try {
      page = pageVariants(html, job.name, {
        variants,
        twins,
        settings: this.#run.settingsOf(job.name),
        files: this.#files,
        polyfill: this.#polyfill,
        digest,
      });
    } catch (error) {
      this.#run.noteError(job, error);
      return this.#run.copy(job);
    }
    for (const { name, input, result } of page.scripts) {
      const output = path.join(path.dirname(job.output), path.basename(name));
      this.#run.finish({ ...job, name, output }, result, input, result.code);
    }
    if (page.isLost) this.#run.note(job, LOST);
    if (page.html === html) return this.#run.copy(job);
    if (!bringsPolyfill(page.html)) {
      this.#run.note(
        job,
        'it has no tag for polyprof.js: sessions with probes have no profiler if no script brings it',
      );
    }
    if (page.kept.length > 0) this.#run.note(job, KEPT);
    if (POLICY.test(html) && variants.chooser === 'inline') {
      this.#run.note(
        job,
        'its content security policy has to allow the inline chooser, by its nonce or digest',
      );
    }
    if (variants.chooser === 'external') this.#chooser(job);
    this.#run.output.adapt(job, page.html);
  }

  /** Writes the script that chooses, once. @param {FileJob} page one that loads it */
  #chooser({ name, output }) {
    const file = path.resolve(output, ...name.split('/').map(() => '..'), CHOOSER_FILE);
    if (!this.#run.output.isReplaced(file)) this.#run.output.replace(file, distFile(CHOOSER_FILE));
  }
}
