/** @import { Session } from './devtools.js' */

/**
 * A page whose answer was changed counts as one from the internet, which may not ask servers of this machine, such as an app's own API:
 * https://wicg.github.io/local-network-access/. The page was allowed to before.
 */

/** Browsers have one name of it or the other, and older ones none. */
const NAMES = ['local-network-access', 'local-network', 'loopback-network'];

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

/**
 * Whoever permits an origin something else denies it this, also if all others may.
 * @param {Session} session that permits
 * @param {string | undefined} browserContextId
 * @param {string} [origin] only this one
 */
export async function allowLocalServers(session, browserContextId, origin) {
  await Promise.allSettled(
    NAMES.map((name) =>
      session.send('Browser.setPermission', {
        permission: { name },
        setting: 'granted',
        browserContextId,
        origin,
      }),
    ),
  );
}
