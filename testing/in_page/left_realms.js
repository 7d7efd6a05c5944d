import { LEAVE } from './page_globals.js';

/** @import { LeftRealms } from './asking_protocol.js' */
/** @import { DocumentRecording } from './document_recording.js' */

/**
 * Where a document that is left can hand over no more than a beacon: which of its realms end with it is sent in another one.
 * @param {DocumentRecording} recording
 * @param {string} address
 */
export function tellsLeftRealms(recording, address) {
  // As they are before the page has others.
  const { navigator } = globalThis;
  const { sendBeacon } = navigator;
  addEventListener('pagehide', () => {
    if (!recording.isRunning || LEAVE in globalThis) return;
    const { ended, cut } = recording.leftRealms();
    if (ended.length + cut.length === 0) return;
    /** @type {LeftRealms} */
    const left = { url: location.href, ended, cut };
    sendBeacon.call(navigator, address, JSON.stringify(left));
  });
}
