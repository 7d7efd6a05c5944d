import { ProbePoint } from '../../wasm/probe_point.js';

/**
 * @typedef {object} Seen what ran
 * @property {string} text of the stack; empty when nothing ran
 * @property {number} point one of `ProbePoint`
 * @property {number} skip leading frames of the text that are ours
 */

/** Root of a task of ours: nothing of the page runs. @type {Readonly<Seen>} */
export const IDLE = { text: '', point: ProbePoint.ENTER, skip: 0 };

/** Leading frames of what `stackError` gives that are its own. */
export const SKIPPED_FRAMES = 1;
