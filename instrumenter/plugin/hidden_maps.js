import { formatName } from './output_format.js';

/**
 * Names and lines of the sources come from source maps, also if nobody else wants them: Rollup and Rolldown make all maps, and those that
 * the user did not ask for are taken out of the output again.
 */
export class HiddenMaps {
  /** What the user asked for, by output. @type {Map<string, unknown>} */
  #asked = new Map();
  /** What the user asked for, whatever the output, if a host such as Vite has changed it before. @type {(() => unknown) | undefined} */
  #askedOfHost;
  /** Plugins that change modules and give no source map. @type {Set<string>} */
  #withoutMaps = new Set();

  /** @param {(() => unknown) | undefined} askedOfHost */
  constructor(askedOfHost) {
    this.#askedOfHost = askedOfHost;
  }

  /** @param {any} output options as the user gave them @returns {any} options with maps */
  added(output) {
    this.#asked.set(keyOf(output), output.sourcemap);
    return { ...output, sourcemap: output.sourcemap || 'hidden' };
  }

  /** @param {any} output options that the bundler has completed @returns {unknown} what the user asked for: falsy, true, `inline` or `hidden` */
  askedFor(output) {
    if (this.#askedOfHost) return this.#askedOfHost();
    // Only hidden maps may be ours.
    const isOurs = output.sourcemap === 'hidden' && this.#asked.get(keyOf(output)) !== 'hidden';
    return isOurs ? false : output.sourcemap;
  }

  /**
   * Who asked for no source maps is told once of each plugin that breaks ours, not for each module.
   * @param {{code?: string, plugin: string}} log
   * @returns {boolean}
   */
  isWorthTelling({ code, plugin }) {
    if (code !== 'SOURCEMAP_BROKEN') return true;
    const asked = this.#askedOfHost ? [this.#askedOfHost()] : [...this.#asked.values()];
    if (asked.some(Boolean)) return true;
    const isNews = !this.#withoutMaps.has(plugin);
    this.#withoutMaps.add(plugin);
    return isNews;
  }
}

/** @param {any} chunk @returns {string} name of the file that its map has */
export function mapFileOf({ sourcemapFileName, fileName }) {
  return sourcemapFileName ?? `${fileName}.map`;
}

/** @param {any[]} chunks @param {Record<string, any>} bundle all files by name, chunks and maps among them */
export function removeMaps(chunks, bundle) {
  for (const chunk of chunks) {
    delete bundle[mapFileOf(chunk)];
    chunk.map = null;
  }
  // Of chunks that another plugin took out: Astro puts small ones into pages.
  for (const file of Object.keys(bundle))
    if (/\.[cm]?js\.map$/.test(file) && !bundle[file.slice(0, -'.map'.length)]) delete bundle[file];
}

/** @param {any} output options, as given or completed by the bundler */
function keyOf({ dir, file, format = 'es', entryFileNames = '[name].js' }) {
  // Functions may have become others.
  const names = typeof entryFileNames === 'string' ? entryFileNames : '';
  return [dir, file, formatName(format), names].join('\0');
}
