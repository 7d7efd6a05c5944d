/* global importScripts */
importScripts('/nesting.js', '/dist/polyprof.js', '/busy.js', '/profile_in_worker.js');
