import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import vm from 'node:vm';

/**
 * Modules of one realm, by their files.
 * @param {vm.Context} context
 * @param {(code: string) => string} prepare
 */
export function moduleLoader(context, prepare) {
  /** @type {Map<string, vm.Module>} */
  const loaded = new Map();

  /** @param {string} file @param {string} [type] attribute of the import @returns {vm.Module} */
  function load(file, type = '') {
    const key = `${type} ${file}`;
    const known = loaded.get(key);
    if (known) return known;
    const code = readFileSync(file, 'utf8');
    const module = type === 'json' ? jsonModule(code, file) : javaScriptModule(code, file);
    loaded.set(key, module);
    return module;
  }

  /** @param {string} code @param {string} identifier */
  function jsonModule(code, identifier) {
    const value = vm.runInContext('JSON.parse', context)(code);
    const module = new vm.SyntheticModule(['default'], () => module.setExport('default', value), {
      context,
      identifier,
    });
    return module;
  }

  /** @param {string} code @param {string} identifier */
  function javaScriptModule(code, identifier) {
    return new vm.SourceTextModule(prepare(code), {
      context,
      identifier,
      importModuleDynamically: /** @type {any} */ (importFrom(identifier)),
    });
  }

  /** @param {string} specifier @param {vm.Module} referrer @param {any} how */
  function link(specifier, referrer, { attributes = {} } = {}) {
    return load(resolve(dirname(referrer.identifier), specifier), attributes.type);
  }

  /** @param {vm.Module} module */
  async function evaluate(module) {
    if (module.status === 'unlinked') await module.link(link);
    await module.evaluate();
    return module;
  }

  /** @param {string} file @returns {(specifier: string, referrer: unknown, attributes?: {type?: string}) => Promise<vm.Module>} */
  function importFrom(file) {
    return async (specifier, _, { type } = {}) => evaluate(load(resolve(dirname(file), specifier), type));
  }

  return { run: (/** @type {string} */ file) => evaluate(load(file)), importFrom };
}
