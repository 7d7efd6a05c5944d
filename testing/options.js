import { statSync } from 'node:fs';
import { completePluginOptions } from '../instrumenter/plugin/plugin_options.js';
import { TAKE_SMALL } from '../instrumenter/skipped.js';
import { printableLines } from './printable_lines.js';

/** @import { PluginSettings, SourcePattern } from '../instrumenter/plugin/plugin_options.js' */

/**
 * @typedef {object} ProfileOptions
 * @property {number} [sampleInterval] ms; 1 by default, which is also the least
 * @property {'flag' | 'shadow'} [probe] `flag` by default; `shadow` needs `isolate`: docs/accuracy.md
 * @property {number} [minWeight] functions with fewer statements, calls and loops get no probes; by default 12, with `shadow` 29; 0: all do
 * @property {SourcePattern | readonly SourcePattern[]} [include] sources whose functions get probes, as of the plugin: docs/build.md
 * @property {SourcePattern | readonly SourcePattern[]} [exclude] sources whose functions get none
 * @property {boolean} [isolate] serve pages as cross-origin isolated, so that a worker can tick; false for pages that talk to windows
 *   which they open. By default true where that can be
 * @property {'allow' | 'block'} [serviceWorkers] `block`: the page gets none. `allow` by default: what a service worker answers has no
 *   probes
 * @property {string | readonly string[]} [sourceMaps] folders with source maps that the server does not give out
 * @property {string} [outDir] folder for the trace and its report; without it and without `testInfo` nothing is written
 * @property {TestInfo} [testInfo] of a test of Playwright: trace and report are put with its results, and attached to them
 * @property {string} [name] of the files; `profile` by default
 * @property {(note: string) => void} [onNote] what makes the profile less than it could be; by default `console.warn`
 */

/**
 * @typedef {object} TestInfo as much of Playwright's as is used
 * @property {string} [title]
 * @property {(...segments: string[]) => string} outputPath
 * @property {(name: string, options: {path: string, contentType: string}) => Promise<void>} attach
 */

/**
 * @typedef {object} RunSettings
 * @property {PluginSettings} instrument
 * @property {number} sampleInterval
 * @property {boolean | undefined} isolate undefined: as the engine can
 * @property {boolean} blockServiceWorkers
 * @property {readonly string[]} sourceMaps
 * @property {(note: string) => void} onNote
 * @property {string} takeSmall of `TAKE_SMALL`
 *
 * @typedef {Pick<ProfileOptions, 'outDir' | 'testInfo'> & {name: string}} Artefacts
 */

const INSTRUMENT = ['probe', 'minWeight', 'include', 'exclude'];
const NAMES = [
  'sampleInterval',
  ...INSTRUMENT,
  'isolate',
  'serviceWorkers',
  'sourceMaps',
  'outDir',
  'testInfo',
  'name',
  'onNote',
];

/**
 * @param {ProfileOptions} [options]
 * @returns {{settings: RunSettings, artefacts: Artefacts}}
 * @throws {TypeError} that names the option and says what it may be
 */
export function completeProfileOptions(options = {}) {
  for (const name of Object.keys(options)) {
    if (!NAMES.includes(name)) throw wrong(`there is no option '${name}': there is ${NAMES.join(', ')}`);
  }
  const {
    sampleInterval = 1,
    isolate,
    serviceWorkers = 'allow',
    sourceMaps = [],
    outDir,
    testInfo,
    name = 'profile',
    onNote = (note) => console.warn(printableLines(`polyprof: ${note}`)),
  } = options;
  const instrument = completePluginOptions(
    Object.fromEntries(Object.entries(options).filter(([key]) => INSTRUMENT.includes(key))),
  );
  if (!(typeof sampleInterval === 'number' && sampleInterval > 0 && sampleInterval < Infinity)) {
    throw wrong(`sampleInterval must be a number of ms above 0, not ${sampleInterval}`);
  }
  if (isolate !== undefined && typeof isolate !== 'boolean') {
    throw wrong(`isolate must be true or false, not ${isolate}`);
  }
  if (isolate === false && instrument.probe === 'shadow') {
    throw wrong(
      "the probe 'shadow' needs pages that are isolated: leave isolate out, or use the probe 'flag'",
    );
  }
  if (serviceWorkers !== 'allow' && serviceWorkers !== 'block') {
    throw wrong(`serviceWorkers must be 'allow' or 'block', not '${serviceWorkers}'`);
  }
  if (typeof name !== 'string' || !/^[^/\\]+$/.test(name)) {
    throw wrong(`name must be a name of a file, not '${name}'`);
  }
  if (testInfo !== undefined && typeof testInfo?.outputPath !== 'function') {
    throw wrong('testInfo must be what a test of Playwright gets as its second argument');
  }
  const folders = [sourceMaps].flat();
  for (const folder of folders) {
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
      throw wrong(`sourceMaps must be folders; '${folder}' is none`);
    }
  }
  return {
    settings: {
      instrument,
      sampleInterval,
      isolate,
      blockServiceWorkers: serviceWorkers === 'block',
      sourceMaps: folders,
      onNote,
      takeSmall: TAKE_SMALL.inCode,
    },
    artefacts: { outDir, testInfo, name },
  };
}

/** @param {string} message */
function wrong(message) {
  return new TypeError(`polyprof: ${message}`);
}
