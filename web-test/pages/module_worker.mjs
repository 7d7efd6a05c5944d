import './nesting.js';
import '/dist/polyprof.mjs';
import './busy.js';
import './profile_in_worker.js';
