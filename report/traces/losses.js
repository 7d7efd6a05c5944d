import { formatCount } from '../numbers.js';

/**
 * The counters of docs/counters.md in words. One that is not known here is shown by its name, so that none is hidden. A profiler
 * counts for all sessions that run together: none is a share of one trace's samples.
 */

/**
 * What nothing is lost by: samples that share a look at the stack with the one before, and time (ticks are of 1 ms) that the sampler
 * overslept, or at which it did not look.
 * @type {Map<string, (count: number) => string>}
 */
const NOTED = new Map([
  [
    'filledTicks',
    (count) => (count === 1 ? '1 tick repeats' : `${formatCount(count)} ticks repeat`) + ' the one before',
  ],
  ['lateTicks', (count) => `${formatCount(count)} ms taken late`],
  [
    'unlocatedTicks',
    (count) => `${formatCount(count)} ms placed by few looks, as in pages that are not isolated`,
  ],
]);

/**
 * What the reader of a trace found, which says nothing of what its profiler lost: see even_samples.js.
 * @type {Map<string, (count: number) => string>}
 */
const READ = new Map([
  ['extraSamples', (count) => `${counted(count, 'samples')} out of turn left out`],
  ['unseenMs', (count) => `${formatCount(Math.round(count))} ms unseen, as if idle`],
]);

/** What was lost, of more than one. */
const LOST = new Map([
  ['lostTicks', 'samples'],
  ['lostToMemory', 'samples to the limit of memory'],
  ['rejectedSamples', 'samples to a full buffer'],
  ['workerlessTicks', 'ms in which no worker ticked'],
  ['garbledStacks', 'samples to an overwritten shadow stack'],
  ['tornStacks', 'callers of stacks that changed while they were read'],
  ['truncatedStacks', 'outer ends of deep stacks'],
  ['unparsedFrames', 'frames in no known form'],
  ['missingTables', 'function tables missing'],
  ['badTables', 'function tables damaged'],
  ['mismatchedTables', 'function tables of another build'],
  ['unplacedScripts', 'scripts without address'],
  ['unsampledScripts', 'scripts with the other kind of probes'],
  ['fallbackFrames', 'frames as the engine names them'],
  ['overwrittenHooks', 'hooks that the page overwrote'],
  ['droppedTraces', 'traces that the beacon could not send'],
]);

/**
 * @param {Record<string, number>} losses by reason
 * @returns {string[]} phrases; where the profiler counted its losses, the last one is about these, if only that there are none
 */
export function describeLosses(losses) {
  const found = Object.entries(losses).filter(([, count]) => count > 0);
  const noted = found.flatMap(([reason, count]) => {
    const words = NOTED.get(reason) ?? READ.get(reason);
    return words ? [words(count)] : [];
  });
  const lost = found
    .filter(([reason]) => !NOTED.has(reason) && !READ.has(reason))
    .map(([reason, count]) => counted(count, LOST.get(reason) ?? reason));
  if (lost.length > 0) return [...noted, `lost: ${lost.join(', ')}`];
  const isOfReader = noted.length > 0 && Object.keys(losses).every((reason) => READ.has(reason));
  return isOfReader ? noted : [...noted, 'nothing lost'];
}

/** @param {number} count @param {string} things of which the first noun is in the plural */
function counted(count, things) {
  const words = count === 1 ? things.replace(/(?<=^(outer |function )?\w{2,})s\b/, '') : things;
  return `${formatCount(count)} ${words}`;
}
