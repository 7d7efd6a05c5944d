import { setUp } from '../../../dist/polyprof-runtime.mjs';

/* global __POLYPROF_FOLDER__, __POLYPROF_INSTALL__ */

setUp(new URL(__POLYPROF_FOLDER__, import.meta.url), JSON.parse(__POLYPROF_INSTALL__));
