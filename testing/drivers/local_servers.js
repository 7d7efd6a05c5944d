/** @import { Session } from './devtools.js' */

export { allowLocalServers } from '../../instrumenter/serving/local_servers.js';

/**
 * Sessions that permit something are never ended: with one, Chromium takes back all that anybody has permitted in its context.
 * @type {WeakMap<object, Promise<Session>>} by what they are with
 */
const sessions = new WeakMap();

/**
 * @param {object} target a browser, or a page where it can't be reached
 * @param {() => Promise<Session>} connect
 * @returns {Promise<Session>} the one that permits; nobody else's
 */
export function permittingSession(target, connect) {
  const session = sessions.get(target) ?? connect();
  sessions.set(target, session);
  return session;
}
