/** @typedef {import('../instrument.js').Instrumented} Instrumented */

export { instrumentHtml } from '../html.js';
export { instrument, SourceError } from '../instrument.js';
