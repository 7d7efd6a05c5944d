import { importOwn } from './import_own.js';

/** @returns {Promise<typeof import('../extra/index.js')>} what few pages need at all */
export const loadExtra = () => importOwn('polyprof-extra.js');
