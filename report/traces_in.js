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

/**
 * Traces in the content of a file. A file is a trace; an object with one as `trace` and details beside it; a body that Datadog's SDK
 * sends, multipart or its `wall-time.json` alone; a profile or an envelope of Sentry's; or lines of any of these.
 * @param {Buffer} bytes
 * @param {string} file for messages
 * @returns {Iterable<Found>} throws a `TraceError` when it comes to something else
 */
export function* tracesIn(bytes, file) {
  if (bytes.length === 0) throw new TraceError(file, '', 'is empty');
  if (bytes.subarray(0, 2).toString('latin1') === '--') {
    yield fromValue(parse(multipartFile(bytes, 'wall-time.json', file), file, 'wall-time.json'), file, '');
    return;
  }
  /** @type {unknown} */
  let value;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    if (!isLines(bytes)) throw notJson(file, '', error);
    yield* fromLines(bytes, file);
    return;
  }
  yield fromValue(value, file, '');
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

/** Whether the first line is JSON of its own. @param {Buffer} bytes */
function isLines(bytes) {
  const end = bytes.indexOf(NEWLINE);
  if (end < 0) return false;
  try {
    JSON.parse(bytes.toString('utf8', 0, end));
    return true;
  } catch {
    return false;
  }
}

/** @param {Buffer} bytes @param {string} file @returns {Generator<Found>} */
function* fromLines(bytes, file) {
  let line = 0;
  let isEnvelope = false;
  for (let at = 0; at < bytes.length;) {
    line++;
    let end = lineEnd(bytes, at);
    const value = end > at ? parse(bytes.toString('utf8', at, end), file, `line ${line}`) : undefined;
    at = end + 1;
    if (line === 1 && isEnvelopeHeader(value)) {
      isEnvelope = true;
    } else if (isEnvelope) {
      if (value === undefined) continue;
      if (typeof value !== 'object' || value === null) {
        throw new TraceError(
          file,
          `line ${line}`,
          `must be the header of an item, not ${JSON.stringify(value)}`,
        );
      }
      // A header, then the item; one with a length may have line breaks in it.
      const hasLength = Number.isInteger(value.length) && value.length >= 0;
      end = hasLength ? Math.min(at + value.length, bytes.length) : lineEnd(bytes, at);
      const item = bytes.toString('utf8', at, end);
      at = end + 1;
      line += item.split('\n').length;
      if (!/^profile(_chunk)?$/.test(value.type)) continue;
      yield fromValue(parse(item, file, `line ${line}`), file, `line ${line}`);
    } else if (value !== undefined) {
      yield fromValue(value, file, `line ${line}`);
    }
  }
}

/** @param {Buffer} bytes @param {number} at */
function lineEnd(bytes, at) {
  const end = bytes.indexOf(NEWLINE, at);
  return end < 0 ? bytes.length : end;
}

/** Of Sentry's envelopes. @param {any} value */
function isEnvelopeHeader(value) {
  return value?.samples === undefined && value?.trace?.samples === undefined && value?.profile === undefined;
}

/** @param {Buffer} bytes @param {string} name of a file in a multipart body @param {string} file for messages */
function multipartFile(bytes, name, file) {
  const text = bytes.toString('utf8');
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
    throw notJson(file, place, error);
  }
}

/** @param {string} file @param {string} place @param {unknown} error */
function notJson(file, place, error) {
  return new TraceError(file, place, `is not JSON (${/** @type {Error} */ (error).message})`);
}
