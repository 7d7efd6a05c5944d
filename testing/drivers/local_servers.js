/** @import { DevtoolsSession } from './devtools.js' */

export { allowLocalServers } from '../../instrumenter/serving/local_servers.js';

/**
 * DevTools sessions that permit something are never ended: with one, Chromium takes back all that anybody has permitted in its context.
 * @type {WeakMap<object, Promise<DevtoolsSession>>} by what they are with
 */
const sessions = new WeakMap();

/**
 * @param {object} target a browser, or a page where it can't be reached
 * @param {() => Promise<DevtoolsSession>} connect
 * @returns {Promise<DevtoolsSession>} the one that permits; nobody else's
 */
export function permittingSession(target, connect) {
  const session = sessions.get(target) ?? connect();
  sessions.set(target, session);
  return session;
}
