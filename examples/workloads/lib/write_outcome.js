import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { speedscope } from '../../../report/formats/speedscope.js';

/** @import { ProfilerTrace } from '../../../report/reading/check_trace.js' */
/** @import { Outcome } from './profile_workload.js' */

/**
 * Writes what a run left:
 *
 *   <name>.trace.json       the ProfilerTrace as the page got it: places are those in the instrumented bundle
 *   <name>.counters.json    what the API has no room for: mode, losses, interval, duration, digest
 *   <name>.speedscope.json  in terms of the original sources
 *
 * @param {string} folder
 * @param {Outcome} outcome
 * @param {ProfilerTrace} symbolicated
 * @returns {string} path of the last one
 */
export function writeOutcome(folder, { trace, ...counters }, symbolicated) {
  const { name } = counters;
  const file = (/** @type {string} */ kind) => join(folder, `${name}.${kind}.json`);
  writeFileSync(file('trace'), JSON.stringify(trace));
  writeFileSync(file('counters'), `${JSON.stringify(counters, null, 2)}\n`);
  writeFileSync(file('speedscope'), speedscope([{ name, trace: symbolicated }]));
  return file('speedscope');
}
