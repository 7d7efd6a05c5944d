/**
 * A page whose answer was changed counts as one from the internet, which may not ask servers of this machine, such as an app's own API:
 * https://wicg.github.io/local-network-access/. The page was allowed to before.
 */

/** Browsers have one name of it or the other, and older ones none. */
const NAMES = ['local-network-access', 'local-network', 'loopback-network'];

/**
 * Whoever permits an origin something else denies it this, also if all others may.
 * @param {{send: (method: string, params?: object) => Promise<any>}} session that permits
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
