import { DRAFT } from './draft.js';
import { INTERFACE } from './interface.js';
import { SESSIONS } from './sessions.js';

/**
 * What the two texts ask for, one by one, each with its check: the rows of docs/conformance.md.
 *
 * @typedef {object} Requirement
 * @property {string} section of the text
 * @property {'MUST' | 'SHOULD' | 'MAY'} level by RFC 2119; what an algorithm's steps or WebIDL say is a MUST
 * @property {string} statement in our words
 * @property {() => unknown} check runs in the page, with what lib/pages/expect.js gives it; throws if it is not so
 * @property {string} [native] why Chromium's own Profiler differs
 * @property {string} [note]
 */

/** https://wicg.github.io/js-self-profiling/ @type {Requirement[]} */
export const WICG = [...SESSIONS, ...INTERFACE];

/** The text of 2018-12-21, of `performance.profile()`: https://github.com/WICG/js-self-profiling/blob/adec413/index.html */
export { DRAFT };
