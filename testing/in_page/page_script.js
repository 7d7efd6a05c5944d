import { ignoreDigests } from '../../instrumenter/pages/digests.js';
import { askingQuery, LOADING, ORDER, REQUEST, requestName } from './asking_protocol.js';
import { ASK_AGAIN_MS, MAX_OUTLIVING, TabName, tellsWhenAsked } from './asking_script.js';
import { DocumentRecording } from './document_recording.js';
import { tellsLeftRealms } from './left_realms.js';
import { MAX_BLOCKED, Obstacles } from './obstacles.js';
import { LEAVE, RUN, TAB } from './page_globals.js';
import {
  KEEP_AGAIN_MS,
  PageRealms,
  REALM_PATIENCE_MS,
  REALM_TELLING_MS,
  REALM_TELLING_TASKS,
} from './page_realms.js';
import { REALM_PARTS, startInRealm } from './realm_script.js';
import { scriptOf } from './script_text.js';

/**
 * What runs first in a page that is profiled, behind the polyfill, and in its frames.
 *
 * @typedef {object} Start
 * @property {string} id of the document
 * @property {string} folder path of our files
 * @property {number} sampleInterval ms
 * @property {number} maxBufferSize samples
 * @property {boolean} record begin at once
 * @property {boolean} blockServiceWorkers
 * @property {string} asksAt origin that the page asks what to tell; empty: somebody reaches it
 * @property {string} channel name of the `BroadcastChannel` that the page shares with its workers and frames
 */

/** The longest profile of one document, in samples: 10 minutes at 1 ms. */
export const MAX_BUFFER_SIZE = 600_000;

/** Ends our scripts in a page: one that hydrates its whole document, as React does, counts what is in there. */
export const REMOVES_ITSELF = 'document.currentScript.remove();';

/** What a document needs of this folder. */
const PAGE_PARTS = {
  ...REALM_PARTS,
  LEAVE,
  TAB,
  MAX_BLOCKED,
  REALM_PATIENCE_MS,
  REALM_TELLING_MS,
  REALM_TELLING_TASKS,
  KEEP_AGAIN_MS,
  ASK_AGAIN_MS,
  MAX_OUTLIVING,
  REQUEST,
  ORDER,
  LOADING,
  requestName,
  askingQuery,
  ignoreDigests,
  Obstacles,
  PageRealms,
  DocumentRecording,
  TabName,
  tellsWhenAsked,
  tellsLeftRealms,
  startInPage,
  startInFrame,
  startDocument,
};

/** @param {Start} start @returns {string} a script */
export function startScript(start) {
  return scriptOf(PAGE_PARTS, `startInPage(${JSON.stringify(start)})`) + REMOVES_ITSELF;
}

/** The page or a frame of it: says so when sampling runs, or will not. @param {Start} start */
function startInPage(start) {
  ignoreDigests();
  const page = /** @type {any} */ (globalThis);
  // A page may say that relative addresses are those of another server; and one whose own has a password can fetch none.
  const folder = location.origin + start.folder;
  const tell = (problem = '') => page.fetch(`${folder}started-${start.id}?${encodeURIComponent(problem)}`);
  if (page.top === page) startDocument(start, folder, tell);
  else
    startInFrame(start).then(
      () => tell(),
      () => tell(),
    );
}

/** Frames of other origins may not profile. @param {Start} start @returns {Promise<void>} when sampling runs, or is not to */
async function startInFrame({ folder, record, channel, sampleInterval, maxBufferSize }) {
  const frame = /** @type {any} */ (globalThis);
  let isOfOrigin = false;
  try {
    isOfOrigin = frame.top.location.origin === frame.origin;
  } catch {
    // It is not.
  }
  if (!isOfOrigin || !frame.BroadcastChannel) return;
  const page = frame.top[RUN]?.id;
  await startInRealm({ kind: 'frame', page, folder, record, channel, sampleInterval, maxBufferSize });
}

/**
 * @param {Start} start
 * @param {string} folder address of our files
 * @param {(problem?: string) => void} tell that it has started
 */
function startDocument({ id, record, channel, sampleInterval, maxBufferSize, ...start }, folder, tell) {
  const page = /** @type {any} */ (globalThis);
  const obstacles = new Obstacles();
  if (start.blockServiceWorkers) obstacles.refuseServiceWorkers();
  page.polyprof.install({ force: true, baseUrl: folder, unknown: 'show' });
  obstacles.noteBlocked();
  const recording = new DocumentRecording(id, {
    options: { sampleInterval, maxBufferSize },
    channel,
    leftAddress: folder + requestName(REQUEST.left, id),
    obstacles,
  });
  tellsLeftRealms(recording, folder + requestName(REQUEST.leftRealms, id));
  const run = { id, begin: () => recording.begin(), end: () => recording.end() };
  Object.defineProperty(page, RUN, { value: run });
  const ask = start.asksAt
    ? tellsWhenAsked(recording, { id, folder, askedFolder: start.asksAt + start.folder })
    : () => {};
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted && recording.isRunning && !page[LEAVE]) recording.beginAnew().then(ask, () => {});
  });
  (record ? recording.begin() : Promise.resolve()).then(
    () => {
      tell();
      ask();
    },
    (/** @type {Error} */ error) => tell(error.message),
  );
}
