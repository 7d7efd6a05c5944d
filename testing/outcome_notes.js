/** @import { GoneRealms, Outcome, RealmsOutcome } from './in_page/outcome.js' */

/**
 * What makes the profile of documents less than it could be, as far as they tell.
 * @param {Outcome[]} outcomes
 * @param {boolean} wantsNoServiceWorkers somebody asked for pages without them
 * @returns {string[]} notes, some of them perhaps several times
 */
export function outcomeNotes(outcomes, wantsNoServiceWorkers) {
  return outcomes.flatMap(({ full, url, serviceWorker, refusedServiceWorker, blocked, realms }) => [
    ...(realms ? realmNotes(url, realms) : []),
    ...(full ? [tooLong(url)] : []),
    ...blocked.map(
      (each) =>
        `${url} could not load ${each}: perhaps since it is isolated here, which isolate: false (--no-isolate) leaves out`,
    ),
    ...(refusedServiceWorker && !wantsNoServiceWorkers
      ? [
          `${url} did not get its service worker, ${refusedServiceWorker}: in this browser nothing of a page that has one can get probes`,
        ]
      : []),
    ...(serviceWorker
      ? [
          `${url} has a service worker, ${serviceWorker}: scripts that it answers have no probes; serviceWorkers: 'block' (--block-service-workers) leaves it out`,
        ]
      : []),
  ]);
}

/** @param {string} url of the page @param {RealmsOutcome} realms */
function realmNotes(url, { outcomes, problems, silent, ...gone }) {
  return [
    ...outcomes.filter(({ full }) => full).map((realm) => tooLong(realm.url)),
    ...[...namesByMessage(problems)].map(
      ([message, names]) => `no profile of the ${listed(names)}: ${message.replace('polyprof: ', '')}`,
    ),
    ...goneNotes(url, gone),
    ...(silent.length > 0
      ? [`did not answer, what ran there is not in the profile of ${url}: ${listed(silent)}`]
      : []),
  ];
}

/** @param {string} url of the page @param {GoneRealms} gone @returns {string[]} */
export function goneNotes(url, { ended, cut }) {
  const note = (/** @type {string} */ what, /** @type {string[]} */ names) =>
    names.length > 0
      ? [`ended before the profile of ${url} did, ${what} is not in it: ${listed(names)}`]
      : [];
  return [...note('what ran there', ended), ...note('what ran there last', cut)];
}

/** @param {RealmsOutcome['problems']} problems @returns {Map<string, string[]>} many realms have the same one */
function namesByMessage(problems) {
  const names = new Map();
  for (const { name, message } of problems) names.set(message, [...(names.get(message) ?? []), name]);
  return names;
}

/** @param {string} url of a page, worker or frame */
function tooLong(url) {
  return `the profile of ${url} was too long: it ends when its buffer was full`;
}

/** @param {string[]} names at least one @returns {string} some of them */
function listed([first, ...others]) {
  return others.length > 0 ? `${first} and ${others.length} more` : first;
}
