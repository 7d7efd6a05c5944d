/** @typedef {import('../instrument.js').Instrumented} Instrumented */

export { instrumentHtml } from '../pages/html.js';
export { instrument, SourceError } from '../instrument.js';
