import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { notesOfBudget, notesOfGuess, notesOfStrangers } from '../budget/budget_notes.js';
import { addBudgets, budgetText } from '../budget/budget_summary.js';
import { defaultCacheFolder } from '../cache_folder.js';
import { calibrating, isCalibrating } from '../budget/calibrating.js';
import { loadCalibration } from '../budget/load_calibration.js';
import { ResultCache } from '../result_cache.js';
import { addSkipped, skippedText, TAKE_SMALL } from '../skipped.js';
import { unusedPatterns } from '../sources/unused_patterns.js';
import { instrumenterThread } from './instrumenter_thread.js';
import { noTotals } from './totals.js';

/** @typedef {import('./plugin_options.js').PluginSettings} PluginSettings */
/** @typedef {import('./totals.js').Totals} Totals */

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

const SCRIPT = /\.[cm]?js$/;

/** @param {string} file @returns {boolean} */
export function isScript(file) {
  return SCRIPT.test(file.replace(/[?#].*$/s, ''));
}

/**
 * Instruments the files of a bundler, and adds up what that did. The work is done in a thread, which loads what it needs while the bundler
 * is at work: both share no more than the text.
 */
export class ChunkInstrumenter {
  /** What a file's content depends on beside its modules. */
  salt;
  /** @type {import('./instrument_chunk.js').Project} */
  #project;
  /** @type {ResultCache<import('./instrument_chunk.js').Chunk, import('./instrument_chunk.js').Done>} */
  #cache;
  #warn;
  /** Files that were warned of. @type {Set<string>} */
  #misfits = new Set();
  /** Of all files so far. @type {Set<string>} */
  #sources = new Set();
  #totals = noTotals();
  #takeSmall;
  /** Whether the calibration was found to be this program's. What is built again while files are edited may be new to it. */
  #isKnown = false;

  /**
   * @param {PluginSettings} settings
   * @param {object} bundler
   * @param {string} bundler.root the project's folder, absolute
   * @param {string} [bundler.files] see `sourcePath`
   * @param {(message: string) => void} bundler.warn
   * @param {string} [bundler.takeSmall] of `TAKE_SMALL`
   * @param {string | null} [bundler.cacheFolder] where results are kept for later builds
   */
  constructor(
    settings,
    { root, files, warn, takeSmall = TAKE_SMALL.inCode, cacheFolder = defaultCacheFolder() },
  ) {
    instrumenterThread.start();
    this.#warn = warn;
    this.#takeSmall = takeSmall;
    for (const note of notesOfBudget(settings.budget)) warn(note);
    const { probe, minWeight, budget, include, exclude } = settings;
    const project = {
      settings: { probe, minWeight, budget, include, exclude },
      root,
      files,
      calibration: loadCalibration(root, settings),
      calibrating: calibrating(),
    };
    // How many sessions get a variant changes nothing in it.
    const content = { ...settings, variants: Boolean(settings.variants) };
    const text = JSON.stringify(content, (_, value) => (value instanceof RegExp ? String(value) : value));
    this.salt = createHash('sha256')
      .update(version)
      .update(text)
      .update(JSON.stringify(project.calibration ?? null))
      .update(JSON.stringify(project.calibrating))
      .digest('hex')
      .slice(0, 16);
    this.#project = { ...project, key: `${this.salt} ${root} ${files}` };
    // What sends its counts to one calibration's address is nothing for later builds.
    this.#cache = new ResultCache(isCalibrating() ? null : cacheFolder, this.#project.key);
  }

  /**
   * Chunks become ready in the order in which they were given, those whose result is known at once.
   * @param {Omit<import('./instrument_chunk.js').Chunk, 'map'> & {map?: any}} chunk with the bundler's source map, or its JSON
   * @param {{needsHeap?: number, heapMb?: number}} [limits] as of `instrumentChunk`
   * @returns {Promise<import('./instrument_chunk.js').Done['result']>} null: the file stays as it is
   * @throws {Error} if a twin cannot be made
   */
  async instrument(chunk, limits) {
    const map = chunk.map ? jsonOf(chunk.map) : undefined;
    const done = await this.#done({ ...chunk, map }, limits);
    // Files without probes are in no trace, and nothing in them is chosen by its source.
    if (done.misfit && done.result) this.#warnOfMap(chunk.file, done.misfit);
    for (const warning of done.warnings) this.#warn(warning);
    for (const source of done.sources ?? []) this.#sources.add(source);
    if (done.totals) this.#add(done.totals);
    return done.result;
  }

  /** @param {import('./instrument_chunk.js').Chunk} chunk @param {{needsHeap?: number, heapMb?: number}} [limits] */
  async #done(chunk, limits) {
    const known = this.#cache.read(chunk);
    if (known) return known;
    const done = await instrumenterThread.instrument(this.#project, chunk, limits);
    // A file that was given up is tried again: there may be more memory next time.
    if (done.totals) this.#cache.write(chunk, done);
    return done;
  }

  /** @param {string} file @param {string} misfit */
  #warnOfMap(file, misfit) {
    // Of modules of packages, which dev servers serve one by one, nobody here wrote the map.
    if (this.#misfits.has(file) || file.includes('/node_modules/')) return;
    this.#misfits.add(file);
    this.#warn(
      `${file}: its source map is not of this code: ${misfit}. Another plugin may have changed it without a map. ` +
        'Traces have its own names and lines, and include and exclude see none of its sources',
    );
  }

  /** Functions of the files since the last summary. */
  get functions() {
    const { probed, skipped } = this.#totals;
    return { probed, skipped };
  }

  /** What was done since the last time, in one line; undefined: nothing was. @returns {string | undefined} */
  takeSummary() {
    const { files, already, functions, probed, skipped, gzip, gzipAdded, budgets } = this.#totals;
    this.#totals = noTotals();
    const before = already > 0 ? `${filesText(already)} had probes before` : '';
    if (files === 0) return before || undefined;
    const share = (gzipAdded / Math.max(1, gzip)) * 100;
    const line =
      `${probed} of ${functions} functions in ${filesText(files)} have probes, ` +
      `+${(gzipAdded / 1000).toFixed(1)} kB gzipped (${share.toFixed(1)} %)`;
    const budget = addBudgets(budgets);
    const { calibration, settings, calibrating } = this.#project;
    const guess = notesOfGuess({ ...settings, calibration, ...calibrating });
    const strangers = this.#isKnown ? [] : notesOfStrangers(calibration, budget, functions);
    this.#isKnown = strangers.length === 0;
    const spent = budget && calibration ? budgetText(budget, calibration.busyMs, 0) : '';
    // What is to be left out need not be there: one configuration may be that of many builds.
    const unused = unusedPatterns({ include: settings.include }, this.#sources, 'source');
    return [line, skippedText(skipped, this.#takeSmall), before, spent, ...guess, ...strangers, ...unused]
      .filter(Boolean)
      .join('; ');
  }

  /** @param {Totals} totals */
  #add({ budgets, skipped, ...numbers }) {
    this.#totals.budgets.push(...budgets);
    this.#totals.skipped = addSkipped([this.#totals.skipped, skipped]);
    for (const name of /** @type {(keyof typeof numbers)[]} */ (Object.keys(numbers)))
      this.#totals[name] += numbers[name];
  }
}

/** Bundlers' maps have methods, which cannot be sent. @param {string | object} map */
function jsonOf(map) {
  return typeof map === 'string' ? map : JSON.stringify(map);
}

/** @param {number} count */
function filesText(count) {
  return `${count} file${count > 1 ? 's' : ''}`;
}
