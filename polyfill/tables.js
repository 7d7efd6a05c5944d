/**
 * Fetches the function tables of the realm's instrumented scripts: of those there are, and of those that load while a session runs.
 */
export class Tables {
  #hook;
  #core;
  #onChange;
  /** @type {Set<number>} scripts whose table was asked for */
  #known = new Set();
  /** @type {Set<Promise<void>>} */
  #loading = new Set();
  #unplaced = 0;

  /**
   * @param {import('./hook.js').Hook} hook
   * @param {import('../wasm/core.js').Core} core
   * @param {() => void} onChange after each table that came or failed
   */
  constructor(hook, core, onChange) {
    this.#hook = hook;
    this.#core = core;
    this.#onChange = onChange;
    hook.s.forEach((entry) => this.#add(entry));
    const push = Array.prototype.push;
    Object.defineProperty(hook.s, 'push', {
      configurable: true,
      value: (/** @type {import('./hook.js').ScriptEntry} */ entry) => {
        this.#add(entry);
        return push.call(hook.s, entry);
      },
    });
  }

  /** Resolves when no table is on its way. */
  async settled() {
    while (this.#loading.size > 0) await Promise.all(this.#loading);
  }

  /** Instrumented scripts whose stack text does not tell where they are. */
  get unplaced() {
    return this.#unplaced;
  }

  stop() {
    delete (/** @type {any} */ (this.#hook.s).push);
  }

  /** Runs inside the page's script when that loads during a session: must not throw. @param {import('./hook.js').ScriptEntry} entry */
  #add([key, tableName, stackText, firstFunctionId]) {
    try {
      const script = this.#core.registerScript(String(stackText()), key, firstFunctionId);
      if (this.#known.has(script)) return;
      this.#known.add(script);
      const loading = this.#load(script, tableName).finally(() => {
        this.#loading.delete(loading);
        this.#onChange();
      });
      this.#loading.add(loading);
    } catch {
      // Its frames then appear as the engine gives them, and alone they don't tell that something ran.
      this.#unplaced++;
    }
  }

  /** @param {number} script @param {string} tableName */
  async #load(script, tableName) {
    try {
      const url = new URL(tableName, this.#core.scriptUrl(script));
      const response = await fetch(url);
      if (!response.ok) throw new Error(`${response.status}`);
      this.#core.loadTable(script, new Uint8Array(await response.arrayBuffer()));
    } catch {
      this.#core.failTable(script);
    }
  }
}
