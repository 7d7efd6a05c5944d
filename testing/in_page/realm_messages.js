/**
 * What a page and its other realms, its workers and frames of its origin, say to each other on the channel that all of them share, also those of
 * other tabs. Each realm belongs to one page, which it obeys.
 *
 * @typedef {object} SaidByRealm a greeting, or an answer
 * @property {string} id
 * @property {string} name its kind and address
 * @property {string} url
 * @property {string | undefined} owner id of the page that it belongs to; undefined: it does not know yet
 * @property {boolean} holdsLock a lock by the name of its id, as long as it is there
 * @property {RealmAnswer} [answer]
 *
 * @typedef {{outcome?: import('./outcome.js').RealmOutcome, problem?: string}} RealmAnswer neither: it did not record
 *
 * @typedef {object} SaidByPage
 * @property {string} page its id
 * @property {'begin' | 'end'} what realms are to do
 * @property {{id: string, isLoader: boolean}} [to] the realm that it answers; `isLoader`: the page itself has loaded its script
 */

/** The file is for its types. */
export {};
