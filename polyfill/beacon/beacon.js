import { kindOf } from './anonymize_url.js';
import { Outbox } from './outbox.js';
import { startProfiler } from './start_profiler.js';
import { traceBodies } from './trace_bodies.js';
import { traceDetails } from './trace_details.js';

/** @typedef {import('./options.js').BeaconSettings} BeaconSettings */
/** @typedef {import('./session.js').Session} Session */
/** @typedef {import('./start_profiler.js').AnyProfiler} AnyProfiler */

/** Profilers of the page's own may slow the samples down, never speed them up: room for twice as many is enough. */
const SPARE = 2;

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

  /** @param {BeaconSettings} settings @param {Session} session */
  constructor(settings, session) {
    this.#settings = settings;
    this.#session = session;
    if (session.isProfiled) {
      const outbox = new Outbox(settings.url, settings.queueBytes, (error) => this.#fail(error));
      this.#outbox = outbox;
      document.addEventListener('visibilitychange', this.#onVisibility);
      void this.#run()
        .catch((error) => this.#fail(error))
        .then(() => outbox.close());
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
    document.removeEventListener('visibilitychange', this.#onVisibility);
    this.#onVisibility();
  }

  async #run() {
    const { window, every, start } = this.#settings;
    // The first window may have begun before the page did.
    let begin = performance.now() + (start === 'now' ? 0 : Math.random() * every - window);
    for (;;) {
      await this.#waitUntil(() => performance.now() >= begin && !document.hidden, begin);
      if (this.#isStopped) return;
      const left = begin + window - performance.now();
      if (left > 0) await this.#profile(Math.min(left, window));
      do begin += every;
      while (begin + window <= performance.now());
    }
  }

  /** One window. @param {number} length ms */
  async #profile(length) {
    const { sampleInterval, window } = this.#settings;
    const maxBufferSize = Math.ceil((SPARE * window) / Math.max(sampleInterval, 1)) + 1;
    const profiler = await startProfiler({ sampleInterval, maxBufferSize });
    const end = performance.now() + length;
    let isTaken = false;
    let takeBack = () => {};
    let trace;
    try {
      // At that moment there is no time to wait for anything.
      takeBack = this.#onHide(profiler, (trace, gzip) => {
        isTaken = true;
        const pack = this.#settings.gzip ? gzip : undefined;
        this.#bodiesOf(trace, profiler, (body, tells) =>
          this.#outbox?.add({ body: pack?.(body) ?? body, isPacked: Boolean(pack), tells }, true),
        );
      });
      await this.#waitUntil(() => performance.now() >= end || document.hidden || isTaken, end);
    } finally {
      trace = await profiler.stop();
      takeBack();
    }
    if (isTaken) return;
    const isPacked = this.#settings.gzip && 'CompressionStream' in globalThis;
    /** @type {[body: Promise<Uint8Array> | Uint8Array, tells: number][]} */
    const parts = [];
    this.#bodiesOf(trace, profiler, (body, tells) => parts.push([isPacked ? compressed(body) : body, tells]));
    // In their order, the newest first, whichever is packed first.
    for (const [body, tells] of parts) this.#outbox?.add({ body: await body, isPacked, tells });
  }

  /**
   * @param {AnyProfiler} profiler
   * @param {(trace: any, gzip: (bytes: Uint8Array) => Uint8Array) => void} onTrace
   * @returns {() => void} takes it back
   */
  #onHide(profiler, onTrace) {
    // The browser's own has no trace in time: of a page that closes, its last window is lost.
    if (!profiler.mode || profiler.mode === 'native') return () => {};
    const take = (/** @type {Uint8Array} */ json, /** @type {(bytes: Uint8Array) => Uint8Array} */ gzip) => {
      try {
        onTrace(JSON.parse(new TextDecoder().decode(json)), gzip);
      } catch (error) {
        this.#settings.onError(error);
      }
    };
    const { polyprof } = /** @type {any} */ (globalThis);
    const takeBack = polyprof.sendOnHide(profiler, take, { whenHidden: true });
    takeBack.ready.catch(this.#settings.onError);
    return takeBack;
  }

  /**
   * @param {any} trace @param {AnyProfiler} profiler
   * @param {(body: Uint8Array, tells: number) => void} onBody not called if the trace has no samples; `tells`: how many that were dropped
   */
  #bodiesOf(trace, profiler, onBody) {
    if (trace.samples.length === 0) return;
    const { maxBytes, tags } = this.#settings;
    let dropped = this.#outbox?.takeUntold() ?? 0;
    const url = this.#anonymous(location.href, 'page');
    const details = traceDetails(profiler, this.session, url, dropped, tags);
    const resources = trace.resources.map((/** @type {string} */ url) => this.#anonymous(url, kindOf(url)));
    for (const body of traceBodies({ ...trace, resources }, details, maxBytes)) {
      onBody(body, dropped);
      dropped = 0;
    }
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
