import { createHash } from 'node:crypto';
import path from 'node:path';
import { writeFileAtomically } from '../files/write_file.js';

/** What the metafile says of a file that esbuild did not make. */
const ADDED = { imports: [], exports: [], inputs: {} };

/** The files that esbuild made, as a plugin may change them before they are written. */
export class EsbuildOutput {
  /** @type {Map<string, any>} */
  #files;

  /** @param {{path: string, contents: Uint8Array, text: string}[]} files */
  constructor(files) {
    this.#files = new Map(files.map((file) => [file.path, file]));
  }

  get files() {
    return [...this.#files.values()];
  }

  get paths() {
    return [...this.#files.keys()];
  }

  /** @param {string} path @returns {string} */
  text(path) {
    return this.#files.get(path).text;
  }

  /** @param {string} path of a script @returns {any} undefined: it has none */
  sourceMap(path) {
    const file = this.#files.get(`${path}.map`);
    return file && JSON.parse(file.text);
  }

  /** @param {string} path @param {string | Uint8Array} content */
  set(path, content) {
    const contents = Buffer.from(content);
    const hash = createHash('sha256').update(contents).digest('base64').slice(0, 11);
    this.#files.set(path, { path, contents, hash, text: contents.toString() });
  }

  /** @param {string} folder @param {{name: string, content: Uint8Array}[]} files */
  addFolder(folder, files) {
    for (const { name, content } of files) this.set(path.join(folder, name), content);
  }

  /** Source maps were written as `external`. @param {unknown} mode what the user asked for */
  linkSourceMaps(mode) {
    for (const mapPath of this.paths.filter((path) => path.endsWith('.map'))) {
      const path = mapPath.slice(0, -'.map'.length);
      const map = this.#files.get(mapPath);
      if (!mode || mode === 'inline') this.#files.delete(mapPath);
      if (mode === 'inline' || mode === 'both') {
        this.#comment(path, `data:application/json;base64,${Buffer.from(map.contents).toString('base64')}`);
      } else if (mode === true || mode === 'linked') {
        this.#comment(path, encodeURIComponent(/** @type {string} */ (mapPath.split(/[\\/]/).pop())));
      }
    }
  }

  /** @param {string} path @param {string} url of its source map */
  #comment(path, url) {
    const text = this.text(path);
    const end = text.endsWith('\n') ? '' : '\n';
    const comment = path.endsWith('.css') ? `/*# sourceMappingURL=${url} */` : `//# sourceMappingURL=${url}`;
    this.set(path, `${text}${end}${comment}\n`);
  }

  /**
   * What esbuild itself looks for, unless it writes nothing.
   * @param {Record<string, unknown>} inputs of the metafile
   * @param {string} root absolute: what their names are relative to
   * @returns {string[]} names of inputs that would be overwritten
   */
  overwrittenInputs(inputs, root) {
    const names = Object.keys(inputs).map((name) => name.replace(/\?.*$/s, ''));
    return [...new Set(names)].filter((name) => this.#files.has(path.resolve(root, name)));
  }

  /**
   * @param {Record<string, object>} outputs of the metafile: what esbuild made
   * @param {string} root absolute: what their names are relative to
   * @returns {Record<string, object>} the same of the files that there are now
   */
  described(outputs, root) {
    const made = new Map(Object.entries(outputs).map(([name, output]) => [path.resolve(root, name), output]));
    const nameOf = (/** @type {string} */ file) => path.relative(root, file).split(path.sep).join('/');
    return Object.fromEntries(
      this.files.map(({ path: file, contents }) => [
        nameOf(file),
        { ...(made.get(file) ?? ADDED), bytes: contents.length },
      ]),
    );
  }

  write() {
    for (const { path, contents } of this.#files.values()) writeFileAtomically(path, contents);
  }
}
