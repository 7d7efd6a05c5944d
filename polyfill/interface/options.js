/**
 * `ProfilerInitOptions`, converted as WebIDL says: members in lexicographical order, each read once.
 *
 * @typedef {{maxBufferSize: number, sampleInterval: number}} ProfilerOptions sampleInterval in ms
 */

/** As the core's (runtime/session_group.cpp). */
const LONGEST_INTERVAL_MS = 2 ** 30;

/** Where the draft leaves it out: 100 s at 1 ms, 1.6 MB. */
const DEFAULT_MAX_BUFFER_SIZE = 100_000;

/** The draft's forms of a trace; without one it is an object. @typedef {'json' | 'json-gzip' | undefined} Format */

/**
 * @param {any} init
 * @returns {ProfilerOptions}
 */
export function convertOptions(init) {
  checked(init);
  // `>>>` and `+` convert as WebIDL does: they refuse symbols and BigInts.
  const maxBufferSize = required(init, 'maxBufferSize') >>> 0;
  return { maxBufferSize, sampleInterval: intervalOf(init) };
}

/**
 * The draft's: `sampleBufferSize` is an older name, and who names categories must name the only one that there is.
 * @param {any} init
 * @returns {ProfilerOptions & {format: Format}}
 */
export function convertDraftOptions(init) {
  const { categories } = checked(init);
  if (categories !== undefined && ![...categories].map((category) => `${category}`).includes('js')) {
    throw new TypeError("Profiler: categories must include 'js'");
  }
  const format = convertFormat(init);
  const { maxBufferSize: given, sampleBufferSize = DEFAULT_MAX_BUFFER_SIZE } = init;
  const maxBufferSize = (given === undefined ? sampleBufferSize : given) >>> 0;
  return { maxBufferSize, format, sampleInterval: intervalOf(init) };
}

/** @param {any} init with a member `format`, or nothing @returns {Format} */
export function convertFormat(init) {
  const { format: given } = checked(init ?? {});
  if (given === undefined) return undefined;
  const format = `${given}`;
  if (format !== 'json' && format !== 'json-gzip') {
    throw new TypeError("Profiler: format must be 'json' or 'json-gzip'");
  }
  return format;
}

/** @param {any} init @returns {number} ms */
function intervalOf(init) {
  // eslint-disable-next-line no-implicit-coercion -- Number() would take a BigInt
  const interval = +required(init, 'sampleInterval');
  if (!isFinite(interval)) throw new TypeError('Profiler: sampleInterval must be finite');
  if (interval < 0) throw new RangeError('Profiler: sampleInterval must be 0 or more');
  return interval;
}

/** @param {any} init @returns {any} the same, an object */
function checked(init) {
  if (Object(init) !== init) throw new TypeError('Profiler: options must be an object');
  return init;
}

/** Reads it, once. @param {any} init @param {string} member */
function required(init, member) {
  const value = init[member];
  if (value === undefined) throw new TypeError(`Profiler: ${member} is required`);
  return value;
}

/** @param {number} intervalMs as asked for @returns {number} as used */
export function usedInterval(intervalMs) {
  // Ticks are 1 ms apart; rounded up as in runtime/session_group.cpp.
  return Math.min(Math.max(1, Math.ceil(intervalMs)), LONGEST_INTERVAL_MS);
}
