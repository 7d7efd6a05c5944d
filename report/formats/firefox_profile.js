import { IDLE, PathTrie } from '../traces/path_trie.js';
import { sampleWeights, usualInterval } from '../traces/sample_weights.js';

/** @import { Profile } from './formats.js' */
/** @import { Location } from '../traces/location.js' */

/**
 * Version of the format. Newer readers bring older files up to date; this is the last one in which a thread has all of its tables:
 * https://github.com/firefox-devtools/profiler/blob/main/docs-developer/CHANGELOG-formats.md
 */
const FORMAT_VERSION = 55;

/** Of Firefox's own profiles, which ours continues; readers look at it for nothing else. */
const GECKO_VERSION = 31;

const CATEGORIES = [
  { name: 'JavaScript', color: 'yellow', subcategories: ['Other'] },
  // One has to be grey: it is the default.
  { name: 'Other', color: 'grey', subcategories: ['Other'] },
];
const JAVASCRIPT = 0;
const OTHER = 1;

/** A place on the web, of the kinds of resources there. */
const URL_RESOURCE = 5;

/**
 * The "processed profile" of https://profiler.firefox.com: one thread per trace, samples weighted in ms. Idle samples have no stack. What a
 * profiler tells about itself is in the profile's information panel.
 * @param {Profile[]} profiles
 * @returns {string} JSON
 */
export function firefoxProfile(profiles) {
  return JSON.stringify({
    meta: meta(profiles),
    libs: [],
    pages: [],
    counters: [],
    profilerOverhead: [],
    threads: profiles.map(thread),
  });
}

/** @param {Profile[]} profiles */
function meta(profiles) {
  const details = profiles[0]?.details ?? {};
  return {
    version: GECKO_VERSION,
    preprocessedProfileVersion: FORMAT_VERSION,
    product: profiles.map(({ name }) => name).join(', '),
    importedFrom: 'polyprof',
    startTime: details.timeOrigin ?? 0,
    interval: usualInterval(profiles) || (details.sampleInterval ?? 1),
    processType: 0,
    stackwalk: 1,
    debug: false,
    symbolicated: true,
    sourceCodeIsNotOnSearchfox: true,
    usesOnlyOneStackType: true,
    categories: CATEGORIES,
    markerSchema: [],
    extensions: { length: 0, id: [], name: [], baseURL: [] },
    sampleUnits: { time: 'ms', eventDelay: 'ms', threadCPUDelta: 'µs' },
    ...(details.userAgent && { misc: details.userAgent }),
    extra: profiles.flatMap(extraSection),
  };
}

/** @param {Profile} profile @returns {object[]} */
function extraSection({ name, details = {} }) {
  const { losses = {}, mode, engine, url } = details;
  const entries = [
    ...Object.entries({ mode, engine, url })
      .filter(([, value]) => value !== undefined)
      .map(([label, value]) => ({ label, format: 'string', value })),
    ...Object.entries(losses).map(([label, value]) => ({ label, format: 'integer', value })),
  ];
  return entries.length > 0 ? [{ label: name, entries }] : [];
}

/** @param {Profile} profile @param {number} index */
function thread({ name, trace, details }, index) {
  const trie = new PathTrie();
  const stack = trie.addSamples(trace).map((node) => (node === IDLE ? null : node));
  const weights = sampleWeights(trace, details?.sampleInterval);
  const times = trace.samples.map(({ timestamp }) => timestamp);
  const strings = new Strings();
  const resources = new Strings();
  const functions = functionTable(trie.locations, strings, resources);
  return {
    name,
    isMainThread: true,
    processName: name,
    processType: 'default',
    processStartupTime: 0,
    processShutdownTime: null,
    registerTime: times[0] ?? 0,
    unregisterTime: null,
    pausedRanges: [],
    pid: String(index),
    tid: index,
    samples: { length: times.length, stack, time: times, weight: weights, weightType: 'tracing-ms' },
    markers: { length: 0, data: [], name: [], startTime: [], endTime: [], phase: [], category: [] },
    stackTable: {
      length: trie.functions.length,
      frame: trie.functions,
      prefix: trie.parents.map((parent) => (parent === -1 ? null : parent)),
    },
    frameTable: frameTable(trie.locations),
    funcTable: functions,
    resourceTable: {
      length: resources.list.length,
      lib: resources.list.map(() => null),
      name: resources.list.map((resource) => strings.idOf(resource)),
      host: resources.list.map(() => null),
      type: resources.list.map(() => URL_RESOURCE),
    },
    nativeSymbols: { length: 0, libIndex: [], address: [], name: [], functionSize: [] },
    stringArray: strings.list,
  };
}

/** A frame per function: what a trace knows is where functions are defined, not where in them a sample was. @param {Location[]} locations */
function frameTable(locations) {
  return {
    length: locations.length,
    address: locations.map(() => -1),
    inlineDepth: locations.map(() => 0),
    category: locations.map(({ file }) => (file ? JAVASCRIPT : OTHER)),
    subcategory: locations.map(() => 0),
    func: locations.map((_, i) => i),
    nativeSymbol: locations.map(() => null),
    innerWindowID: locations.map(() => 0),
    line: locations.map(({ line }) => line ?? null),
    column: locations.map(({ column }) => column ?? null),
  };
}

/** @param {Location[]} locations @param {Strings} strings @param {Strings} resources */
function functionTable(locations, strings, resources) {
  return {
    length: locations.length,
    name: locations.map(({ name }) => strings.idOf(name)),
    isJS: locations.map(({ file }) => file !== ''),
    relevantForJS: locations.map(() => true),
    resource: locations.map(({ file }) => (file ? resources.idOf(file) : -1)),
    fileName: locations.map(({ file }) => (file ? strings.idOf(file) : null)),
    lineNumber: locations.map(({ line }) => line ?? null),
    columnNumber: locations.map(({ column }) => column ?? null),
  };
}

/** Each string once. */
class Strings {
  /** @type {string[]} */
  list = [];
  /** @type {Map<string, number>} */
  #ids = new Map();

  /** @param {string} text */
  idOf(text) {
    const known = this.#ids.get(text);
    if (known !== undefined) return known;
    this.#ids.set(text, this.list.length);
    return this.list.push(text) - 1;
  }
}
