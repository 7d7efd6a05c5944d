import { formatCount, percent } from './numbers.js';

/**
 * What the profiler says about a session beside its trace, in words. Samples that were made up are told apart from what is gone.
 * The names are those of `counters()` in the page; one that is not known here is shown by its name, so that none is hidden.
 */

/** Samples that are there, but were not taken at their time. @type {Record<string, string>} */
const ESTIMATED = {
  filledTicks: 'repeat the one before',
  lateTicks: 'taken late',
};

/** @type {Record<string, string>} */
const LOST = {
  lostTicks: 'samples',
  lostToMemory: 'samples to the limit of memory',
  rejectedSamples: 'samples to a full buffer',
  truncatedStacks: 'outer ends of deep stacks',
  unparsedFrames: 'frames in no known form',
  missingTables: 'function tables missing',
  badTables: 'function tables damaged',
  mismatchedTables: 'function tables of another build',
  unplacedScripts: 'scripts without address',
  fallbackFrames: 'frames as the engine names them',
};

/**
 * @param {Record<string, number>} losses by reason
 * @param {number} samples how many there are
 * @returns {string[]} phrases; the last one is about what is lost, if only that it is nothing
 */
export function describeLosses(losses, samples) {
  const counted = Object.entries(losses).filter(([, count]) => count > 0);
  const estimated = counted
    .filter(([reason]) => reason in ESTIMATED)
    .map(([reason, count]) => `${percent(count, samples)} % ${ESTIMATED[reason]}`);
  const lost = counted
    .filter(([reason]) => !(reason in ESTIMATED))
    .map(([reason, count]) => `${formatCount(count)} ${LOST[reason] ?? reason}`);
  return [...estimated, lost.length > 0 ? `lost: ${lost.join(', ')}` : 'nothing lost'];
}
