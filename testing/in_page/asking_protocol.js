/**
 * What a document that nobody reaches from outside, and the server that stands for its own, say to each other: the document asks what it is to
 * tell, tells that, and asks again. This file goes to the page with the scripts that use it.
 *
 * @typedef {object} AskingDocument what a document says of itself as it asks
 * @property {string} tab what the documents of a tab have in common
 * @property {string} url
 * @property {number} timeOrigin ms since 1970
 *
 * @typedef {{url: string} & import('./outcome.js').GoneRealms} LeftRealms `url`: of the document
 */

/** What a document requests, below the path of our files. */
export const REQUEST = {
  /** What am I to tell? The answer is an `ORDER`, and comes when there is one. GET, with `askingQuery`. */
  asks: 'asks',
  /** Of what was recorded since it told last, and there is more to come. POST of an `Outcome`. */
  told: 'told',
  /** Of the rest. POST of an `Outcome`, or of null: nothing was recorded. */
  ended: 'ended',
  /** Of the rest, in a beacon: it was left. POST of a trace, with nothing beside it but the mode of sampling, as `mode` in the query. */
  left: 'left',
  /** Of its realms, which end with it, in a beacon likewise. POST of `LeftRealms`. */
  leftRealms: 'left-realms',
};

/** What a document is answered. */
export const ORDER = {
  all: 'all',
  soFar: 'so far',
  /** Before the name of the tab that it belongs to from now on. */
  tab: 'tab ',
  /** Nothing: it is to ask again. */
  askAgain: '',
};

/** In the query of a document that is still loading: its answer must not wait. */
export const LOADING = 'loading';

/** @param {string} what of `REQUEST` @param {string} id of the document @returns {string} its name below the path of our files */
export function requestName(what, id) {
  return `${what}-${id}`;
}

/** @param {AskingDocument} document */
export function askingQuery({ timeOrigin, ...rest }) {
  return new URLSearchParams({ ...rest, timeOrigin: String(timeOrigin) });
}

const NAME = new RegExp(`^(${Object.values(REQUEST).join('|')})-(\\d+)(?:\\?(.*))?$`);

/**
 * The other way round, for the server.
 * @param {string} name as of `requestName`, perhaps with a query
 * @returns {{what: string, id: string, query: URLSearchParams} | null} null: it is something else
 */
export function readRequestName(name) {
  const [, what, id, query] = NAME.exec(name) ?? [];
  return what === undefined ? null : { what, id, query: new URLSearchParams(query) };
}

/** @param {URLSearchParams} query as of `askingQuery` @returns {Partial<AskingDocument>} */
export function readAskingQuery(query) {
  const { timeOrigin, ...rest } = Object.fromEntries(query);
  return { ...rest, timeOrigin: timeOrigin === undefined ? undefined : Number(timeOrigin) };
}
