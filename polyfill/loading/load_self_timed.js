import { importOwn } from './import_own.js';

/** @returns {Promise<typeof import('../capture/self_timed_capture.js')>} what samples where no worker can: a page needs either that or the worker */
export const loadSelfTimed = () => importOwn('polyprof-self-timed.js');
