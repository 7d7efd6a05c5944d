/** What our scripts leave in pages and workers, by name, and how it is called from outside. */

/** In a page what begins and ends its recording; in its workers and frames a promise of the profiler, or undefined: nothing is recorded. */
export const RUN = '__polyprofRun__';

/** Begins if it did not yet; a text: why it could not. */
export const BEGIN = `globalThis.${RUN}?.begin()`;

/** Ends what was recorded; JSON of an `Outcome`, or of null: nothing was. */
export const END = `globalThis.${RUN}?.end()`;

/** What a document that closes calls with the JSON of its `Outcome`. */
export const LEAVE = '__polyprofLeave__';

/** Lets go of what a worker was sent before it was sampled. */
export const LET_GO = '__polyprofLetGo__';

/** In the storage of a page's tab: what the tab is called. */
export const TAB = '__polyprofTab__';
