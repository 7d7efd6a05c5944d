import { setUp } from '../../../dist/polyprof-runtime.mjs';

/* global __POLYPROF_FOLDER__ */

setUp(new URL(__POLYPROF_FOLDER__, import.meta.url));
