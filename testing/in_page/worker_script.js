import { LET_GO, RUN } from './page_globals.js';

/** What is put around scripts that workers may run, so that they are sampled. */

/** No service worker: these cannot import. */
const IN_WORKER = 'globalThis.WorkerGlobalScope&&!globalThis.clients';

/** What a worker is sent waits no longer than that for sampling: as long as on a machine with much else to do. */
const HOLD_MS = 3000;

/**
 * The text that is put behind scripts so that workers which run or import them load our profiler. It is behind the script so that positions in
 * the script stay the same; therefore what runs while the script loads is missed.
 * @param {string} path of `realmScript`'s text; workers of a text have no address that it could be below
 * @returns {string} with its line break
 */
export function workerTail(path) {
  const sampled = `import(globalThis.origin+${JSON.stringify(path)}).then(()=>globalThis.${RUN})`;
  return `\n;${IN_WORKER}&&${sampled}.catch(()=>{}).then(()=>globalThis.${LET_GO}?.());`;
}

/** @returns {string} what stands in front of such a script, on one line */
export function workerPrologue() {
  const onOneLine = String(holdUntilSampled).replace(/\s*\n\s*/g, '');
  return `${IN_WORKER}&&(${onOneLine})("${LET_GO}",${HOLD_MS});`;
}

/**
 * What the worker is sent waits until sampling runs, as a page's parser does. Before all listeners of the worker's own, since Chromium calls
 * them in their order. Its text goes into workers, on one line: it sees nothing of this file.
 * @param {string} letGoName
 * @param {number} holdMs at most
 */
function holdUntilSampled(letGoName, holdMs) {
  /* The script may have names like those of the platform. */
  const worker = globalThis;
  /* Modules that a worker imports are asked for as it is itself. */
  if (letGoName in worker) return;
  const types = ['message', 'connect'];
  const held = /** @type {MessageEvent[]} */ ([]);
  const hold = (/** @type {any} */ event) => {
    event.stopImmediatePropagation();
    held.push(event);
  };
  for (const type of types) worker.addEventListener(type, hold);
  const letGo = () => {
    for (const type of types) worker.removeEventListener(type, hold);
    for (const event of held.splice(0))
      worker.dispatchEvent(new worker.MessageEvent(event.type, /** @type {any} */ (event)));
  };
  worker.Object.defineProperty(worker, letGoName, { value: letGo });
  worker.setTimeout(letGo, holdMs);
}
