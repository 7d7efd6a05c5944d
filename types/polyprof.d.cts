/** `polyprof`: what a page gets. The profiler itself is in the global scope, as the specification has it. */

export interface PolyprofInstallOptions {
  /** Ours also where the browser has its own; `'denied'`: only where that may not be used. */
  force?: boolean | 'denied';
  /** Who may profile: `'self'`, not frames with a page of another origin around them, by default; `'allow'`, all; `'deny'`, none. */
  policy?: 'self' | 'allow' | 'deny';
  /**
   * False: start no worker: sample without one, also where memory is shared, and pack traces here; for pages whose policy allows no worker, and
   * the default in workers of Firefox. True: with one also there, where some hang when they start another one.
   */
  worker?: boolean;
  /** False: samples exactly an interval apart, in step with whatever the page does as periodically. */
  jitter?: boolean;
  /** Stack 0 of each trace is one of a frame `(idle)`, for clients that take a sample without stack for one of stack 0. */
  idleFrame?: boolean;
  /**
   * In the place of functions that traces must not or cannot show: nothing, or one frame `unknown` for a run of them. `'show'`: also
   * functions of scripts that other origins don't share, for tests.
   */
  unknown?: 'elide' | 'mark' | 'show';
  /** False: sample also while the page is hidden. */
  pauseWhenHidden?: boolean;
  /** Folder of polyprof.wasm and polyprof-worker.js, if not that of the script. */
  baseUrl?: string | URL;
}

export interface Polyprof {
  readonly version: string;
  /**
   * Installs `performance.profile` and, where there is none, `Profiler`. Importing this module has done it once. A call changes the options that it is
   * given; the others stay as they are.
   */
  install(options?: PolyprofInstallOptions): void;
  /** For tests: all profilers of this realm that sample take a sample of the caller's stack now, beside their intervals. */
  forceSample(): void;
  /**
   * When the page is hidden for good or put into the back/forward cache, ends the profiler and sends its trace. Throws a TypeError if
   * it is the browser's own profiler. In place of an address, a function gets the ProfilerTrace as JSON in UTF-8, and what packs bytes
   * without waiting. `whenHidden`: already when the page is hidden, as phones may end it then.
   */
  sendOnHide(
    profiler: Profiler | PolyprofDraftProfiler,
    target: string | URL | ((json: Uint8Array, gzip: (bytes: Uint8Array) => Uint8Array) => void),
    options?: { gzip?: boolean; whenHidden?: boolean; whenLeaving?: boolean },
  ): (() => void) & { ready: Promise<unknown> };
  /** Sends a profile whenever the page's thread is stuck. Rejects with a NotSupportedError without shadow probes. */
  watch(options: PolyprofWatchOptions): Promise<{ stop(): Promise<void> }>;
}

export interface PolyprofWatchOptions {
  /** ms without the page's thread coming back to its event loop; at least 50. */
  threshold: number;
  /** Where to POST reports, also while the page is stuck; or what to call, when it no longer is. */
  report: string | URL | ((report: object) => void);
  /** ms; 10 by default. */
  sampleInterval?: number;
  /** Stalls that are reported; 6 by default. */
  maxPerMinute?: number;
}

export declare const version: Polyprof['version'];
export declare const install: Polyprof['install'];
export declare const forceSample: Polyprof['forceSample'];
export declare const sendOnHide: Polyprof['sendOnHide'];
export declare const watch: Polyprof['watch'];

/** How much was lost, by reason: docs/counters.md. */
export type PolyprofLosses = Record<string, number>;

declare global {
  // https://wicg.github.io/js-self-profiling/
  interface ProfilerInitOptions {
    /** ms between two samples; the browser may round it up. */
    sampleInterval: number;
    /** In samples; a full buffer ends sampling. */
    maxBufferSize: number;
  }

  interface ProfilerFrame {
    /** Empty: the function has none. */
    name: string;
    /** Index into `resources`; missing: built into the browser, as the next two. */
    resourceId?: number;
    /** 1-based, of the function's definition. */
    line?: number;
    /** 1-based, of the function's definition. */
    column?: number;
  }

  interface ProfilerStack {
    /** Index into `stacks` of the caller's stack; missing: outermost. */
    parentId?: number;
    /** Index into `frames`. */
    frameId: number;
  }

  interface ProfilerSample {
    /** ms since the page's time origin. */
    timestamp: number;
    /** Index into `stacks`; missing: nothing ran. */
    stackId?: number;
    marker?: 'script' | 'gc' | 'style' | 'layout' | 'paint' | 'other';
  }

  interface ProfilerTrace {
    resources: string[];
    frames: ProfilerFrame[];
    stacks: ProfilerStack[];
    samples: ProfilerSample[];
  }

  interface ProfilerEventMap {
    samplebufferfull: Event;
  }

  interface Profiler extends EventTarget {
    /** ms, as it really is. */
    readonly sampleInterval: number;
    readonly stopped: boolean;
    /** Rejects with an InvalidStateError when the trace was given out before. */
    stop(): Promise<ProfilerTrace>;
    addEventListener<K extends keyof ProfilerEventMap>(
      type: K,
      listener: (this: Profiler, event: ProfilerEventMap[K]) => unknown,
      options?: boolean | AddEventListenerOptions,
    ): void;
    addEventListener(
      type: string,
      listener: EventListenerOrEventListenerObject | null,
      options?: boolean | AddEventListenerOptions,
    ): void;
  }

  // eslint-disable-next-line no-var
  var Profiler: { prototype: Profiler; new (options: ProfilerInitOptions): Profiler };

  /** What the draft's `performance.profile()` resolves with. */
  interface PolyprofDraftProfiler extends EventTarget {
    readonly sampleInterval: number;
    readonly stopped: boolean;
    /** Which sampler it is: the browser's own, or ours by the build's probes; self-timed: flag probes without a worker. */
    readonly mode: 'native' | 'flag' | 'self-timed' | 'shadow';
    /** So far, or of the whole session once it ended; empty: the browser's own profiler does not tell. */
    readonly losses: PolyprofLosses;
    /** What is really used. Frozen. */
    readonly options: {
      readonly categories: readonly 'js'[];
      readonly format?: PolyprofTraceFormat;
      readonly maxBufferSize: number;
      readonly sampleInterval: number;
    };
    onsamplebufferfull: ((this: PolyprofDraftProfiler, event: Event) => unknown) | null;
    /** The same trace each time; as an object, unless `profile()` was given a format. */
    stop(): Promise<ProfilerTrace>;
    /** The trace's JSON, compressed by a worker if so wanted. */
    stop(options: { format: PolyprofTraceFormat }): Promise<ArrayBuffer>;
    addEventListener<K extends keyof ProfilerEventMap>(
      type: K,
      listener: (this: PolyprofDraftProfiler, event: ProfilerEventMap[K]) => unknown,
      options?: boolean | AddEventListenerOptions,
    ): void;
    addEventListener(
      type: string,
      listener: EventListenerOrEventListenerObject | null,
      options?: boolean | AddEventListenerOptions,
    ): void;
  }

  type PolyprofTraceFormat = 'json' | 'json-gzip';

  interface PolyprofDraftOptions {
    /** ms between two samples; may be rounded up. */
    sampleInterval: number;
    /** In samples; 100,000 by default. */
    maxBufferSize?: number;
    /** Its name in the first texts of the draft. */
    sampleBufferSize?: number;
    /** Must include `'js'`. */
    categories?: Iterable<string>;
    /** What `stop()` gives: the trace's bytes. By default the trace, an object. */
    format?: PolyprofTraceFormat;
  }

  interface Performance {
    /**
     * Resolves when sampling runs. Rejects with a NotSupportedError that says why and what to do, with a TypeError or RangeError if
     * an option is wrong.
     */
    profile(options: PolyprofDraftOptions): Promise<PolyprofDraftProfiler>;
  }

  // eslint-disable-next-line no-var
  var polyprof: Polyprof;

  /** Of a session's variant of the scripts; undefined: the build has one alone. docs/build.md. */
  // eslint-disable-next-line no-var
  var __polyprofVariant__: 'probed' | 'plain' | undefined;
}
