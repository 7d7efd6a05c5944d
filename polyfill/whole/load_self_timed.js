import * as selfTimed from '../capture/self_timed_capture.js';

/** In place of polyfill/loading/load_self_timed.js where all is in one file. */
export const loadSelfTimed = () => Promise.resolve(selfTimed);
