/**
 * What a page and its other realms, its workers and frames of its origin, say to each other on the channel that all of them share, also those of
 * other tabs. Each realm belongs to one page, which it obeys, and to which alone it hands over what it recorded.
 *
 * @typedef {object} SaidByRealm a greeting
 * @property {string} id
 * @property {string} name its kind and address
 * @property {string} url
 * @property {string | undefined} owner id of the page that it belongs to; undefined: it does not know yet
 * @property {boolean} holdsLock a lock by the name of its id, as long as it is there
 *
 * @typedef {{id: string, answer: RealmAnswer, isLast: boolean}} HandedOver by the realm of that id; `isLast`: it records no longer
 * @typedef {{outcome?: import('./outcome.js').RealmRecorded, problem?: string}} RealmAnswer `problem`: why it was not sampled; neither: it did not record
 *
 * @typedef {object} SaidByPage
 * @property {string} page its id
 * @property {'begin' | 'tell' | 'end'} what realms are to do; `tell`: hand over what they recorded so far, and go on
 * @property {{id: string, isLoader: boolean}} [to] the realm that it answers; `isLoader`: the page itself has loaded its script
 */

/**
 * On the shared channel each realm would read all traces: of a hundred realms, a hundred times.
 * @param {string} channel name of that which all share
 * @param {string} page id
 * @returns {string} name of the channel on which the realms of a page hand over
 */
export function handOverChannel(channel, page) {
  return `${channel} of ${page}`;
}
