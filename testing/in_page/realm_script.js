import { ObedientRealm } from './obedient_realm.js';
import { handOverChannel } from './realm_messages.js';
import { RUN } from './page_globals.js';
import { problemOf, RealmRecording } from './realm_recording.js';
import { scriptOf } from './script_text.js';
import { UntoldLosses } from './untold_losses.js';

/** @import { RealmKind } from './outcome.js' */

/**
 * What runs in the other realms of a page that is profiled: its workers, and frames of its origin.
 *
 * @typedef {object} RealmStart
 * @property {RealmKind} kind
 * @property {string} [page] id of the document that it belongs to; undefined: it has to find that out
 * @property {string} folder path of our files
 * @property {number} sampleInterval ms
 * @property {number} maxBufferSize samples
 * @property {boolean} record begin at once
 * @property {string} channel name of the `BroadcastChannel` that the realm shares with its page
 */

/** What a realm needs of this folder. */
export const REALM_PARTS = {
  RUN,
  UntoldLosses,
  problemOf,
  RealmRecording,
  handOverChannel,
  ObedientRealm,
  startInRealm,
};

/** @param {RealmStart} start @returns {string} a script, behind the polyfill */
export function realmScript(start) {
  return scriptOf(REALM_PARTS, `startInRealm(${JSON.stringify(start)})`);
}

/**
 * @param {RealmStart} start
 * @returns {Promise<unknown> | undefined} when sampling runs; undefined: nothing is to be recorded yet
 */
export function startInRealm({ channel, folder, record, kind, page, ...options }) {
  const recording = new RealmRecording(kind, folder, options);
  const realm = new ObedientRealm(recording, { kind, page, channelName: channel });
  if (record) recording.begin();
  // For those who wait for it.
  Object.defineProperty(globalThis, RUN, { get: () => recording.profiler });
  realm.greet();
  return recording.profiler;
}
