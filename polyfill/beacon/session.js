const KEY = 'polyprof.session';

/** @typedef {{id: string, isProfiled: boolean}} Session */

/**
 * All pages that one tab shows of a site are one session, if they may keep something for as long as the tab is open: a random id and the
 * random number that decides. Otherwise each page is one.
 * @param {number} rate 0 to 1
 * @returns {Session}
 */
export function sessionOf(rate) {
  const { id = randomId(), draw } = remembered() ?? { draw: Math.random() };
  const isProfiled = draw < rate;
  // Of a session that is not profiled only the draw: its next page must not draw again.
  remember(isProfiled ? { id, draw } : { draw });
  return { id, isProfiled };
}

/** @returns {string} 128 random bits; `crypto.randomUUID` is for secure pages only */
export function randomId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** @returns {{id?: string, draw: number} | undefined} */
function remembered() {
  try {
    const { id, draw } = JSON.parse(/** @type {string} */ (sessionStorage.getItem(KEY)));
    return typeof draw === 'number' ? { id: typeof id === 'string' ? id : undefined, draw } : undefined;
  } catch {
    return undefined; // There is none, or it is forbidden.
  }
}

/** @param {{id?: string, draw: number}} session */
function remember(session) {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(session));
  } catch {
    // Forbidden or full.
  }
}
