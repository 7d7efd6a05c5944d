import { checkBudget, DEFAULT_MIN_WEIGHTS, PROBE_KINDS } from '../options.js';
import { shownValue } from '../shown_value.js';
import { completeVariants } from '../variants/variant_options.js';

/** As bundlers know it. */
export const PLUGIN_NAME = 'polyprof';

/** @typedef {import('../sources/source_filter.js').SourcePattern} SourcePattern */

/**
 * @typedef {object} PolyprofOptions
 * @property {'flag' | 'shadow'} [probe] default `flag`
 * @property {SourcePattern | readonly SourcePattern[]} [include] default: everything
 * @property {SourcePattern | readonly SourcePattern[]} [exclude] default: nothing; stronger than `include`
 * @property {number} [minWeight] functions lighter than this get no probes; default 12 with `flag`, 29 with `shadow`; 0: all functions get probes
 * @property {number} [budget] share of the time that probes may cost, such as 0.01: functions that are called most for the time that they take
 *   get none. Default: 0.01 with `calibration`, else no budget
 * @property {string} [calibration] file that `polyprof calibrate` wrote, relative to the project's root; with `budget` the default is
 *   polyprof.calibration.json, and without that file a guess from the text
 * @property {boolean} [enabled] false: the plugin does nothing; default true
 * @property {'inject' | 'external'} [runtime] `inject`, the default: the polyfill is the first thing that an entry loads; `external`:
 *   the page loads it, or nobody does
 * @property {InstallOptions} [install] of the polyfill that is injected, as for `polyprof.install()` in a page; default: none
 * @property {import('../variants/variant_options.js').VariantOptions} [variants] production builds have every chunk twice, as it is and with probes
 */

/**
 * @typedef {object} InstallOptions
 * @property {boolean | 'denied'} [force]
 * @property {'self' | 'allow' | 'deny'} [policy] who may profile: frames with pages of other origins around them only with `'allow'`
 * @property {boolean} [worker]
 * @property {boolean} [jitter]
 * @property {boolean} [idleFrame]
 * @property {'elide' | 'mark'} [unknown]
 * @property {boolean} [pauseWhenHidden]
 */

/**
 * @typedef {Required<Omit<PolyprofOptions, 'include' | 'exclude' | 'budget' | 'calibration' | 'variants'>> & {include: SourcePattern[],
 *   exclude: SourcePattern[], budget?: number, calibration?: string, variants?: import('../variants/variant_options.js').VariantSettings}} PluginSettings
 */

/** Does every entry of a build get the polyfill? With variants pages load it, in sessions that have probes. @param {PluginSettings} settings */
export function bringsPolyfill({ runtime, variants }) {
  return runtime === 'inject' && !variants;
}

const RUNTIMES = ['inject', 'external'];

/** The others are about bundles. */
export const OPTIONS_OF_SCRIPTS = /** @type {const} */ ([
  'probe',
  'include',
  'exclude',
  'minWeight',
  'budget',
  'calibration',
  'enabled',
]);
const NAMES = [...OPTIONS_OF_SCRIPTS, 'runtime', 'install', 'variants'];

/** Values of `install`. @type {Record<keyof InstallOptions, unknown[]>} */
const INSTALL = {
  force: [true, false, 'denied'],
  policy: ['self', 'allow', 'deny'],
  worker: [true, false],
  jitter: [true, false],
  idleFrame: [true, false],
  unknown: ['elide', 'mark'],
  pauseWhenHidden: [true, false],
};

/**
 * @param {unknown} options
 * @param {readonly string[]} [names] options that there are
 * @returns {PluginSettings}
 * @throws {TypeError} that names the option, what it was given, and what it may be
 */
export function completePluginOptions(options = {}, names = NAMES) {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw wrong(`options must be an object, not ${shownValue(options)}`);
  }
  for (const name of Object.keys(options)) {
    if (!names.includes(name)) throw wrong(`there is no option '${name}': there is ${names.join(', ')}`);
  }
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const {
    probe = 'flag',
    minWeight = DEFAULT_MIN_WEIGHTS[probe],
    enabled = true,
    runtime = 'inject',
    install = {},
    budget,
    calibration,
  } = /** @type {PolyprofOptions} */ (given);
  oneOf('probe', probe, PROBE_KINDS);
  oneOf('runtime', runtime, RUNTIMES);
  checkInstall(install);
  if (given.install && (runtime === 'external' || given.variants)) {
    throw wrong(
      "install is for the polyfill that runtime: 'inject' brings, without variants: call polyprof.install() in the page",
    );
  }
  if (typeof enabled !== 'boolean') throw wrong(`enabled must be true or false, not ${shownValue(enabled)}`);
  if (typeof minWeight !== 'number' || !(minWeight >= 0 && minWeight < Infinity)) {
    throw wrong(`minWeight must be a number of at least 0, not ${shownValue(minWeight)}`);
  }
  checkPluginBudget(budget);
  if (calibration !== undefined && (typeof calibration !== 'string' || calibration === '')) {
    throw wrong(`calibration must be the path of a file, not ${shownValue(calibration)}`);
  }
  return {
    probe,
    minWeight,
    budget,
    calibration,
    enabled,
    runtime,
    install,
    include: patterns('include', given.include),
    exclude: patterns('exclude', given.exclude),
    variants: given.variants === undefined ? undefined : variantsOf(given.variants),
  };
}

/** @param {unknown} value */
function variantsOf(value) {
  try {
    return completeVariants(value);
  } catch (error) {
    throw wrong(/** @type {TypeError} */ (error).message);
  }
}

/** @param {unknown} install */
function checkInstall(install) {
  if (typeof install !== 'object' || install === null || Array.isArray(install)) {
    throw wrong(`install must be an object, not ${shownValue(install)}`);
  }
  for (const [name, value] of Object.entries(install)) {
    const allowed = INSTALL[/** @type {keyof InstallOptions} */ (name)];
    if (!Object.hasOwn(INSTALL, name)) {
      throw wrong(`install has no option '${name}': it has ${Object.keys(INSTALL).join(', ')}`);
    }
    oneOf(`install.${name}`, value, allowed);
  }
}

/** @param {unknown} budget */
function checkPluginBudget(budget) {
  if (budget === undefined) return;
  try {
    checkBudget(budget);
  } catch (error) {
    throw wrong(/** @type {TypeError} */ (error).message);
  }
}

/** @param {string} name @param {unknown} value @param {unknown[]} allowed */
function oneOf(name, value, allowed) {
  if (!allowed.includes(value)) {
    throw wrong(`${name} must be ${allowed.map(shownValue).join(' or ')}, not ${shownValue(value)}`);
  }
}

/** @param {string} name @param {unknown} value @returns {SourcePattern[]} */
function patterns(name, value) {
  const list = value === undefined ? [] : Array.isArray(value) ? value : [value];
  for (const one of list) {
    if (!(one instanceof RegExp) && (typeof one !== 'string' || one === '')) {
      throw wrong(
        `${name} must hold package names, globs and regular expressions, such as 'react-dom', 'src/**' or /\\.vue$/, not ${shownValue(one)}`,
      );
    }
  }
  return list;
}

/** @param {string} message */
function wrong(message) {
  return new TypeError(`polyprof: ${message}`);
}
