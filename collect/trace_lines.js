import { checkTrace } from '../report/reading/check_trace.js';
import { TraceError } from '../report/reading/trace_error.js';
import { tracesIn } from '../report/reading/traces_in.js';

/** What a request is called in messages. */
const BODY = 'body';

/** @typedef {{id: string | undefined, text: string}} Line one trace, `id` if its sender gave it one */

/**
 * What is stored of a body: for each trace in it a line of JSON, `{id?, session?, url?, …, received, trace}`, with the same members
 * whoever sent it.
 * @param {Buffer} bytes unpacked
 * @param {Date} received
 * @returns {Line[]} at least one; throws a `TraceError` that says what is wrong and where: then nothing of the body is stored
 */
export function traceLines(bytes, received) {
  const lines = [];
  for (const { trace, details, place } of tracesIn(bytes, BODY)) {
    const checked = checkTrace(trace, place ? `${BODY}: ${place}` : BODY);
    lines.push({ id: details.id, text: jsonOf({ ...details, received, trace: checked }) });
  }
  return lines;
}

/** @param {object} value */
function jsonOf(value) {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new TraceError(BODY, '', 'is nested too deeply');
  }
}
