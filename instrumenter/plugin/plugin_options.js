import { DEFAULT_MIN_WEIGHT, PROBE_KINDS } from '../options.js';

/**
 * A name of an npm package (`react-dom`, `@scope/name`: a text without glob characters and with no other slash), a glob of module
 * paths relative to the project's root, or a regular expression for them.
 * @typedef {string | RegExp} SourcePattern
 */

/**
 * @typedef {object} PolyprofOptions
 * @property {'flag' | 'shadow'} [probe] default `flag`
 * @property {SourcePattern | readonly SourcePattern[]} [include] default: everything
 * @property {SourcePattern | readonly SourcePattern[]} [exclude] default: nothing; stronger than `include`
 * @property {number} [minWeight] functions lighter than this get no probes; default 10, 0: all functions get probes
 * @property {boolean} [enabled] false: the plugin does nothing; default true
 * @property {'inject' | 'external'} [runtime] `inject`, the default: the polyfill is the first thing that an entry loads; `external`:
 *   the page loads it, or nobody does
 */

/** @typedef {Required<Omit<PolyprofOptions, 'include' | 'exclude'>> & {include: SourcePattern[], exclude: SourcePattern[]}} PluginSettings */

const RUNTIMES = ['inject', 'external'];
const NAMES = ['probe', 'include', 'exclude', 'minWeight', 'enabled', 'runtime'];

/**
 * @param {unknown} options
 * @param {readonly string[]} [names] options that there are
 * @returns {PluginSettings}
 * @throws {TypeError} that names the option, what it was given, and what it may be
 */
export function completePluginOptions(options = {}, names = NAMES) {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw wrong(`options must be an object, not ${show(options)}`);
  }
  for (const name of Object.keys(options)) {
    if (!names.includes(name)) throw wrong(`there is no option '${name}': there is ${names.join(', ')}`);
  }
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const {
    probe = 'flag',
    minWeight = DEFAULT_MIN_WEIGHT,
    enabled = true,
    runtime = 'inject',
  } = /** @type {PolyprofOptions} */ (given);
  oneOf('probe', probe, PROBE_KINDS);
  oneOf('runtime', runtime, RUNTIMES);
  if (typeof enabled !== 'boolean') throw wrong(`enabled must be true or false, not ${show(enabled)}`);
  if (typeof minWeight !== 'number' || !(minWeight >= 0 && minWeight < Infinity)) {
    throw wrong(`minWeight must be a number of at least 0, not ${show(minWeight)}`);
  }
  return {
    probe,
    minWeight,
    enabled,
    runtime,
    include: patterns('include', given.include),
    exclude: patterns('exclude', given.exclude),
  };
}

/** @param {string} name @param {unknown} value @param {string[]} allowed */
function oneOf(name, value, allowed) {
  if (!allowed.includes(/** @type {string} */ (value))) {
    throw wrong(`${name} must be ${allowed.map((one) => `'${one}'`).join(' or ')}, not ${show(value)}`);
  }
}

/** @param {string} name @param {unknown} value @returns {SourcePattern[]} */
function patterns(name, value) {
  const list = value === undefined ? [] : Array.isArray(value) ? value : [value];
  for (const one of list) {
    if (!(one instanceof RegExp) && (typeof one !== 'string' || one === '')) {
      throw wrong(
        `${name} must hold package names, globs and regular expressions, such as 'react-dom', 'src/**' or /\\.vue$/, not ${show(one)}`,
      );
    }
  }
  return list;
}

/** @param {unknown} value */
function show(value) {
  return typeof value === 'string' ? `'${value}'` : (JSON.stringify(value) ?? String(value));
}

/** @param {string} message */
function wrong(message) {
  return new TypeError(`polyprof: ${message}`);
}
