import { readFileSync } from 'node:fs';
import { isPolyfill } from '../exclusions.js';
import { isPage } from '../variants/build_variants.js';
import { plainName, twinName } from '../variants/twin_name.js';
import { noteOfPolyfill } from './polyfill_note.js';
import { hasPrecacheList } from './precache_list.js';
import { plainNameOf } from './precompressed.js';
import { isManifest } from './service_worker_manifest.js';
import { SiteRun } from './site_run.js';

/**
 * @typedef {import('./plan_files.js').FileJob} FileJob
 * @typedef {object} FileOptions
 * @property {string} probe
 * @property {number} minWeight
 * @property {number} [budget]
 * @property {import('../budget/calibration.js').Calibration} [calibration]
 * @property {string} [endpoint] of counting probes
 * @property {boolean} sourceMap
 * @property {(name: string) => boolean} selects
 * @property {{include: string[], exclude: string[]}} sources
 * @property {number} threads
 * @property {import('../result_cache.js').ResultCache<import('./script_task.js').ScriptTask, import('./script_task.js').ScriptResult>} cache
 * @property {import('../variants/variant_options.js').VariantSettings} [variants] every script is there twice: as it is and, by
 *   another name, with probes
 * @property {boolean} check true: nothing is written
 * @property {(done: number, all: number) => void} [onProgress]
 *
 * @typedef {{summary: import('../summary.js').Summary, bytesAdded: number, bytesAddedGzip: number}} FileReport
 * @typedef {object} Report
 * @property {FileReport[]} files the scripts and pages that were looked at
 * @property {number} adapted files without probes of their own that name what has changed, or are of that
 * @property {number} copied files that are as they were
 * @property {(import('../source_error.js').SourceError | Error)[]} errors
 * @property {string[]} notes
 * @property {Set<string>} sources of the scripts and pages, by the paths that patterns are for; none, if there are no patterns
 */

const SCRIPT = /\.(js|mjs|cjs)$/i;
const NAMES_DIGESTS = /\.(js|mjs|cjs|json)$/i;
/** What browsers do not run before it is built. */
const SOURCE = /(?<!\.d)\.(?:[cm]?ts|tsx|jsx|vue|svelte|astro)$/i;
/** Of a plugin for bundlers, with variants. */
const PLUGINS_POLYFILL = /(^|\/)polyprof-[0-9a-f]{8}\/polyprof\.js$/;

/**
 * Writes every job's output: instrumented, or a copy. What does not parse gets no probes, and its error is reported.
 * @param {FileJob[]} jobs
 * @param {FileOptions} options
 * @returns {Promise<Report>}
 */
export async function instrumentFiles(jobs, options) {
  const selected = jobs.filter(({ name }) => options.selects(name));
  // Service workers: nobody profiles what runs there.
  const precaching = jobs.filter((job) => isScript(job.name) && isPrecaching(job));
  const scripts = selected.filter((job) => isScript(job.name) && !precaching.includes(job));
  const pages = selected.filter(({ name }) => isPage(name));
  const { due, twins } = options.variants ? planTwins(scripts, jobs) : { due: scripts, twins: undefined };
  const others = new Set(jobs);
  for (const job of twins ? pages : [...scripts, ...pages]) others.delete(job);
  const manifests = [...others].filter(({ name }) => isManifest(name));
  const byName = new Map(jobs.map((job) => [job.name, job]));
  const compressed = [...others].filter(({ name }) => byName.has(plainNameOf(name) ?? ''));
  const plainPages = [...others].filter(({ name }) => isPage(name));
  const late = new Set([...plainPages, ...manifests, ...precaching, ...compressed]);

  const polyfill = jobs.find(({ name }) => PLUGINS_POLYFILL.test(name))?.name ?? null;
  const files = new Set(byName.keys());
  const all = others.size + due.length + pages.length;
  const run = new SiteRun(options, { all, files, polyfill, twins });
  // With variants they go on naming scripts that are as they were.
  await run.scripts.instrument(due, twins ? [] : [...others].filter(({ name }) => NAMES_DIGESTS.test(name)));
  for (const job of others) if (!late.has(job)) run.copy(job);
  // Pages later: they may name digests of scripts. Manifests name those of both.
  for (const job of pages) run.pages.instrument(job);
  for (const job of plainPages) run.pages.adapt(job);
  const { following } = run;
  for (const job of manifests) following.manifest(job);
  for (const job of precaching) following.precaching(job);
  for (const job of compressed)
    following.compressed(job, /** @type {FileJob} */ (byName.get(plainNameOf(job.name) ?? '')));
  run.sort();
  run.report.notes.push(...noteOfSources(jobs));
  const hasProbes = run.report.files.some(({ summary }) => summary.probed > 0);
  // Pages that choose have a note of their own, and counting probes need no polyfill.
  if (hasProbes && !twins && !options.endpoint) run.report.notes.push(...noteOfPolyfill(jobs));
  return run.report;
}

/** @param {string} name @returns {boolean} of a script of the site's own */
function isScript(name) {
  return SCRIPT.test(name) && !isPolyfill(name);
}

/** @param {FileJob} job */
function isPrecaching({ input }) {
  return hasPrecacheList(readFileSync(input, 'latin1'));
}

/** @param {FileJob[]} jobs @returns {string[]} one, if sources were given in place of what is built of them */
function noteOfSources(jobs) {
  const source = jobs.find(({ name }) => SOURCE.test(name));
  if (!source || jobs.some(({ name }) => isScript(name) || isPage(name))) return [];
  return [
    `no scripts that browsers run, but sources such as ${source.input}: give the folder of the built site, or take the plugin of your bundler`,
  ];
}

/**
 * Twins of scripts, for variants. A bundler may have made them already.
 * @param {FileJob[]} scripts that were selected
 * @param {FileJob[]} jobs all
 * @returns {{due: FileJob[], twins: import('../variants/twins.js').Twins}}
 */
function planTwins(scripts, jobs) {
  const names = new Set(jobs.map(({ name }) => name));
  const plain = scripts.filter(({ name }) => !names.has(plainName(name) ?? ''));
  const due = plain
    .filter(({ name }) => !names.has(twinName(name)))
    .map(({ input, name, output }) => ({ input, name: twinName(name), output: twinName(output) }));
  return { due, twins: { files: new Set(plain.map(({ name }) => name)) } };
}
