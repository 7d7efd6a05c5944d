import MagicString from 'magic-string';
import { isOwn, RUNTIME_ID } from './runtime_module.js';

/** A hashbang and directives, which have to stay first. */
const START = /^(?:#!.*\n)?(?:\s*(['"])use [\w ]+\1;?)*/;

/**
 * Entries of a build, each of which imports the polyfill before all else. A bundler may transform one before it knows that it is an entry,
 * as others import it, too: so we look for them ourselves, before anything is transformed.
 */
export class RollupEntries {
  /** As the bundler's options name them. @type {Set<string>} */
  #names = new Set();
  /** Ids of their modules; undefined stands for those that were not found. @type {Set<string | undefined>} */
  #ids = new Set();
  /**
   * How many entries are being resolved, so that we do not know their module ids yet. Some plugins, such as that for CommonJS, already load the module meanwhile:
   * so every module that is transformed during that time is taken for an entry, and imports the polyfill.
   */
  #onTheWay = 0;

  /** @param {any} context of the hook @param {string | string[] | Record<string, string> | null | undefined} input option of the bundler */
  async find(context, input) {
    this.#names.clear();
    this.#ids.clear();
    for (const name of Object.values(typeof input === 'string' ? [input] : (input ?? []))) {
      // The bundler itself reports an entry that cannot be found.
      const entry = await this.#resolve(context, name, undefined, {}).catch(() => null);
      this.#names.add(name);
      this.#ids.add(entry?.id);
    }
  }

  /**
   * An entry that is in no option, as another plugin may add it: until it is resolved, modules are taken for it.
   * @param {any} context of the hook
   * @param {string} name
   * @param {string | undefined} importer
   * @param {object} options of the hook
   * @returns {Promise<any> | null} null: it was found before
   */
  resolve(context, name, importer, options) {
    return this.#names.has(name) ? null : this.#resolve(context, name, importer, options);
  }

  /** @param {any} context @param {string} name @param {string | undefined} importer @param {object} options */
  async #resolve(context, name, importer, options) {
    this.#onTheWay++;
    try {
      return await context.resolve(name, importer, { ...options, isEntry: true, skipSelf: true });
    } finally {
      this.#onTheWay--;
    }
  }

  /**
   * @param {any} context of the hook
   * @param {string} code
   * @param {string} id of its module
   * @returns {{code: string, map: object} | null} the module with an import of the polyfill; null: it is no entry
   */
  withPolyfill(context, code, id) {
    if (isOwn(id)) return null;
    const isEntry = this.#onTheWay > 0 || this.#ids.has(id) || context.getModuleInfo(id)?.isEntry;
    if (!isEntry) return null;
    const edited = new MagicString(code);
    edited.appendLeft(START.exec(code)?.[0].length ?? 0, `import ${JSON.stringify(RUNTIME_ID)};`);
    return { code: edited.toString(), map: edited.generateMap({ hires: true }) };
  }
}
