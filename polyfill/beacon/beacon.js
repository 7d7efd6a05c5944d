import { kindOf } from './anonymize_url.js';
import { Outbox } from './outbox.js';
import { ProfiledWindow } from './profiled_window.js';
import { startProfiler } from './start_profiler.js';
import { traceBodies } from './trace_bodies.js';
import { traceDetails } from './trace_details.js';

/** @typedef {import('./options.js').BeaconSettings} BeaconSettings */
/** @typedef {import('./profiled_window.js').Gzip} Gzip */
/** @typedef {import('./session.js').Session} Session */

/** Profilers of the page's own may slow the samples down, never speed them up: room for twice as many is enough. */
const SPARE = 2;

/** So many windows in a row that could not be profiled end the beacon. Those without a network do not count. */
const MAX_FAILURES = 5;

/**
 * What `startBeacon` gives: profiles window after window while the page is seen. Nothing of it throws into the page.
 */
export class Beacon {
  #settings;
  #session;
  /** @type {Outbox | undefined} */
  #outbox;
  #isStopped = false;
  /** Told to who waits: the page was hidden, or is no longer, or the beacon stops. */
  #changes = new EventTarget();
  #onVisibility = () => this.#changes.dispatchEvent(new Event('change'));
  /** Samples. @type {ProfiledWindow | undefined} */
  #current;
  /** Resolves when the traces of all windows that ended are in the outbox. */
  #packed = Promise.resolve();

  /** @param {BeaconSettings} settings @param {Session} session */
  constructor(settings, session) {
    this.#settings = settings;
    this.#session = session;
    if (session.isProfiled) {
      const outbox = new Outbox(
        settings.url,
        settings.queueBytes,
        (error) => this.#fail(error),
        settings.onError,
      );
      this.#outbox = outbox;
      // Not at the document: there the window's trace is taken, and what waits for a change must not end the window before.
      addEventListener('visibilitychange', this.#onVisibility);
      void this.#run()
        .catch((error) => this.#fail(error))
        .then(() => this.#packed)
        .finally(() => outbox.close());
    }
  }

  /** Whether this session is one of those that are profiled. */
  get isProfiled() {
    return this.#session.isProfiled;
  }

  /** What its traces have as `session`. */
  get session() {
    return this.#session.id;
  }

  /** Requests that were answered, or that the browser took from a page that was hidden. */
  get sent() {
    return this.#outbox?.sent ?? 0;
  }

  /** Requests that could not be sent: the queue was full, or they were refused. */
  get dropped() {
    return this.#outbox?.dropped ?? 0;
  }

  /** Ends the window that is running, sends it and what waits, and begins no other. */
  stop() {
    this.#isStopped = true;
    void this.#end();
    removeEventListener('visibilitychange', this.#onVisibility);
    this.#onVisibility();
  }

  async #run() {
    const { window, every, start, onError } = this.#settings;
    // The first window may have begun before the page did.
    let begin = performance.now() + (start === 'now' ? 0 : Math.random() * every - window);
    let failures = 0;
    while (!this.#isStopped) {
      await this.#waitUntil(() => performance.now() >= begin && !document.hidden, begin);
      const left = begin + window - performance.now();
      if (left > 0 && !this.#isStopped) {
        try {
          await this.#profile(left);
          failures = 0;
        } catch (error) {
          if (navigator.onLine && ++failures === MAX_FAILURES) throw error;
          onError(error);
        }
      }
      // Without a gap it goes on until the next one begins, unless the core is full: it is replaced when nobody samples any more.
      if (every > window || document.hidden || this.#isStopped) void this.#end();
      else if (this.#current?.losses.lostToMemory) await this.#end();
      do begin += every;
      while (begin + window <= performance.now());
    }
  }

  /** One window, which goes on afterwards. @param {number} length ms */
  async #profile(length) {
    const { sampleInterval, window, onError } = this.#settings;
    const maxBufferSize = Math.ceil((SPARE * window) / Math.max(sampleInterval, 1)) + 1;
    const starting = startProfiler({ sampleInterval, maxBufferSize });
    // Not before: what both share stays.
    void this.#end();
    const profiler = await starting;
    /** @type {ProfiledWindow} */
    const current = new ProfiledWindow(profiler, (trace, gzip) => this.#take(current, trace, gzip));
    this.#current = current;
    current.watchHiding(onError);
    const end = performance.now() + length;
    await this.#waitUntil(() => performance.now() >= end || document.hidden || current.isTaken, end);
  }

  /** Ends the window that samples, if any. @returns {Promise<void>} as `#packed` */
  #end() {
    const ended = this.#current?.end().catch(this.#settings.onError);
    this.#current = undefined;
    if (ended) this.#packed = this.#packed.then(() => ended).then(() => {});
    return this.#packed;
  }

  /** @param {ProfiledWindow} window @param {any} trace @param {Gzip} [gzip] if the page goes away: there is no time to wait for anything */
  #take(window, trace, gzip) {
    const bodies = this.#bodiesOf(trace, window);
    if (!gzip) return this.#pack(bodies);
    const pack = this.#settings.gzip ? gzip : undefined;
    for (const { body, tells } of bodies) {
      this.#outbox?.add({ body: pack?.(body) ?? body, isPacked: Boolean(pack), tells }, true);
    }
  }

  /** @param {{body: Uint8Array, tells: number}[]} bodies */
  async #pack(bodies) {
    const isPacked = this.#settings.gzip && 'CompressionStream' in globalThis;
    const packed = bodies.map(async ({ body, tells }) => ({
      body: isPacked ? await compressed(body) : body,
      isPacked,
      tells,
    }));
    // In their order, the newest first, whichever is packed first.
    for (const item of packed) this.#outbox?.add(await item);
  }

  /**
   * @param {any} trace @param {ProfiledWindow} window
   * @returns {{body: Uint8Array, tells: number}[]} none if the trace has no samples; `tells`: how many that were dropped
   */
  #bodiesOf(trace, window) {
    if (trace.samples.length === 0) return [];
    const { maxBytes, tags } = this.#settings;
    const dropped = this.#outbox?.takeUntold() ?? 0;
    const url = this.#anonymous(location.href, 'page');
    const details = traceDetails(window, this.session, url, dropped, tags);
    const resources = trace.resources.map((/** @type {string} */ url) => this.#anonymous(url, kindOf(url)));
    const bodies = traceBodies({ ...trace, resources }, details, maxBytes);
    return bodies.map((body, i) => ({ body, tells: i === 0 ? dropped : 0 }));
  }

  /** What cannot be made anonymous is not sent. @param {string} url @param {'page' | 'script'} kind */
  #anonymous(url, kind) {
    try {
      return String(this.#settings.anonymizeUrl(url, kind));
    } catch (error) {
      this.#settings.onError(error);
      return '';
    }
  }

  /** @param {() => boolean} isTrue looked at when something changed, and at that time @param {number} time ms */
  async #waitUntil(isTrue, time) {
    while (!this.#isStopped) {
      // Before the look: were it read after, the time could come in between, and nobody would set a timer for it.
      const left = time - performance.now();
      if (isTrue()) return;
      await new Promise((resolve) => {
        const goOn = () => {
          clearTimeout(timer);
          this.#changes.removeEventListener('change', goOn);
          resolve(undefined);
        };
        const timer = left > 0 ? setTimeout(goOn, left) : undefined;
        this.#changes.addEventListener('change', goOn);
      });
    }
  }

  /** @param {unknown} error */
  #fail(error) {
    this.stop();
    this.#settings.onError(error);
  }
}

/** @param {Uint8Array} bytes @returns {Promise<Uint8Array>} gzip */
async function compressed(bytes) {
  const blob = new Blob([/** @type {Uint8Array<ArrayBuffer>} */ (bytes)]);
  const stream = blob.stream().pipeThrough(new CompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
