import { checkObjects } from './check_objects.js';
import { detailsOf } from './details.js';
import { isSentryProfile, traceOfSentry } from './sentry.js';
import { TraceError } from './trace_error.js';

/** @import { Details } from './details.js' */

/**
 * @typedef {object} Found what may be a trace
 * @property {unknown} trace to be checked
 * @property {Details} details
 * @property {string} place in the file, empty: all of it; for messages and names
 */

const NEWLINE = 10;

/** @typedef {{bytes: Buffer, line: string}} Entry what is read by itself: a file, or a line of one, `line 3` */

/**
 * Traces in the content of a file. A file is a trace; an object with one as `trace` and details beside it; a body that Datadog's SDK
 * sends, multipart or its `wall-time.json` alone; a profile or an envelope of Sentry's; or lines of any of these.
 * @param {Buffer} bytes
 * @param {string} file for messages
 * @returns {Iterable<Found>} at least one; throws a `TraceError` when it comes to something else
 */
export function* tracesIn(bytes, file) {
  for (const entry of entriesIn(bytes, file)) yield* tracesOf(entry, file);
}

/**
 * What of a file's content is broken by itself: lines, if it has some.
 * @param {Buffer} bytes @param {string} file for messages @returns {Iterable<Entry>} at least one; throws a `TraceError` if there is nothing
 */
export function* entriesIn(bytes, file) {
  checkObjects(bytes, file);
  const [first, second] = linesIn(bytes);
  if (!first) throw new TraceError(file, '', 'is empty');
  if (second && !isMultipart(bytes) && !isEnvelope(bytes) && !isJson(bytes) && hasObjectLine(bytes)) {
    yield* linesIn(bytes);
  } else {
    yield { bytes, line: '' };
  }
}

/** @param {Entry} entry @param {string} file for messages @returns {Iterable<Found>} throws a `TraceError` */
export function* tracesOf({ bytes, line }, file) {
  try {
    checkObjects(bytes, file);
    for (const found of foundIn(bytes, file)) yield { ...found, place: line || found.place };
  } catch (error) {
    throw error instanceof TraceError ? error.within(line) : error;
  }
}

/** @param {Uint8Array} bytes of a line */
export function isBlank(bytes) {
  return bytes.every((byte) => byte <= 32);
}

/** @param {Buffer} bytes @param {string} file @returns {Iterable<Found>} */
function* foundIn(bytes, file) {
  if (isMultipart(bytes)) {
    yield fromValue(parse(multipartFile(bytes, 'wall-time.json', file), file, 'wall-time.json'), file, '');
  } else if (isEnvelope(bytes)) {
    yield* fromEnvelope(bytes, file);
  } else {
    yield fromValue(parse(textOf(bytes), file, ''), file, '');
  }
}

/** @param {unknown} value @param {string} file @param {string} place @returns {Found} */
function fromValue(value, file, place) {
  if (typeof value !== 'object' || value === null) return { trace: value, details: {}, place };
  const object = /** @type {Record<string, any>} */ (value);
  const details = detailsOf(object);
  if (isSentryProfile(object)) {
    return { trace: traceOfSentry(object, file), details: { ...details, ...sentryDetails(object) }, place };
  }
  if (object.samples === undefined) {
    for (const member of ['trace', 'wall-time.json']) {
      const inner = object[member];
      if (typeof inner !== 'object' || inner === null) continue;
      return { trace: inner, details: { ...detailsOf(inner), ...details }, place };
    }
  }
  return { trace: value, details, place };
}

/** @param {Record<string, any>} value @returns {Details} */
function sentryDetails({ runtime, debug_meta: meta }) {
  const images = Array.isArray(meta?.images) ? meta.images : [];
  const debugIds = images
    .filter((/** @type {any} */ image) => image?.type === 'sourcemap')
    .map((/** @type {any} */ image) => [String(image.code_file), String(image.debug_id)]);
  return {
    ...(typeof runtime?.version === 'string' && { userAgent: runtime.version }),
    ...(debugIds.length > 0 && { debugIds: Object.fromEntries(debugIds) }),
  };
}

/** Those that are not blank. @param {Buffer} bytes @returns {Generator<Entry>} */
function* linesIn(bytes) {
  let number = 0;
  for (let at = 0; at < bytes.length;) {
    const end = lineEnd(bytes, at);
    const line = bytes.subarray(at, end);
    number++;
    if (!isBlank(line)) yield { bytes: line, line: `line ${number}` };
    at = end + 1;
  }
}

/** Where several traces are in lines, some may be broken. @param {Buffer} bytes */
function hasObjectLine(bytes) {
  for (const { bytes: line } of linesIn(bytes)) if (textOf(line).startsWith('{') && isJson(line)) return true;
  return false;
}

/** @param {Buffer} bytes */
function isJson(bytes) {
  return valueOf(bytes) !== undefined;
}

/** @param {Buffer} bytes @returns {any} undefined: it is not JSON */
function valueOf(bytes) {
  try {
    return JSON.parse(textOf(bytes));
  } catch {
    return undefined;
  }
}

/** @param {Uint8Array} bytes @returns {string} without a byte order mark */
function textOf(bytes) {
  return new TextDecoder().decode(bytes);
}

/**
 * Of Sentry's envelopes a header comes first, which may be empty, and before each item a header with its type:
 * https://develop.sentry.dev/sdk/foundations/transport/envelopes/
 * @param {Buffer} bytes
 */
function isEnvelope(bytes) {
  const [header, item] = linesIn(bytes);
  return item !== undefined && isJson(header.bytes) && typeof valueOf(item.bytes)?.type === 'string';
}

/** @param {Buffer} bytes @param {string} file @returns {Generator<Found>} at least one; throws a `TraceError` */
function* fromEnvelope(bytes, file) {
  let hasHeader = false;
  let hasTrace = false;
  let line = 0;
  for (let at = 0; at < bytes.length;) {
    line++;
    const start = at;
    let end = lineEnd(bytes, at);
    at = end + 1;
    if (isBlank(bytes.subarray(start, end))) continue;
    const header = parse(textOf(bytes.subarray(start, end)), file, `line ${line}`);
    if (!hasHeader) {
      hasHeader = true;
      continue;
    }
    if (typeof header !== 'object' || header === null) {
      throw new TraceError(
        file,
        `line ${line}`,
        `must be the header of an item, not ${JSON.stringify(header)}`,
      );
    }
    // A header, then the item; one with a length may have line breaks in it.
    const hasLength = Number.isInteger(header.length) && header.length >= 0;
    end = hasLength ? Math.min(at + header.length, bytes.length) : lineEnd(bytes, at);
    if (end < bytes.length && bytes[end] !== NEWLINE) {
      const problem = `says that its item has a length of ${header.length} bytes, but it goes on`;
      throw new TraceError(file, `line ${line}`, problem);
    }
    const item = bytes.toString('utf8', at, end);
    const place = `line ${line + 1}`;
    at = end + 1;
    line += item.split('\n').length;
    if (!/^profile(_chunk)?$/.test(header.type)) continue;
    hasTrace = true;
    yield fromValue(parse(item, file, place), file, place);
  }
  if (!hasTrace) throw new TraceError(file, '', 'has no trace in it');
}

/** @param {Buffer} bytes @param {number} at */
function lineEnd(bytes, at) {
  const end = bytes.indexOf(NEWLINE, at);
  return end < 0 ? bytes.length : end;
}

/** @param {Buffer} bytes */
function isMultipart(bytes) {
  return bytes.subarray(0, 2).toString('latin1') === '--';
}

/** @param {Buffer} bytes @param {string} name of a file in a multipart body @param {string} file for messages */
function multipartFile(bytes, name, file) {
  const text = textOf(bytes);
  const boundary = text.slice(0, text.indexOf('\r\n'));
  for (const part of text.split(boundary)) {
    const end = part.indexOf('\r\n\r\n');
    if (end < 0 || !part.slice(0, end).includes(`filename="${name}"`)) continue;
    return part.slice(end + 4).replace(/\r\n$/, '');
  }
  throw new TraceError(file, '', `is a multipart body without a ${name}`);
}

/** @param {string} text @param {string} file @param {string} place @returns {any} */
function parse(text, file, place) {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new TraceError(file, place, `is not JSON (${/** @type {Error} */ (error).message})`);
  }
}
