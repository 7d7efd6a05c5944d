/** `polyprof`: what a page gets. The profiler itself is in the global scope, as the specification has it. */

export interface PolyprofInstallOptions {
  /** Ours also where the browser has its own. */
  force?: boolean;
  /** False: sample without a worker, also where memory is shared; for pages whose policy allows no worker. */
  worker?: boolean;
  /** False: samples exactly an interval apart, in step with whatever the page does as periodically. */
  jitter?: boolean;
  /** Folder of polyprof.wasm and polyprof-worker.js, if not that of the script. */
  baseUrl?: string | URL;
}

export interface Polyprof {
  readonly version: string;
  /** Installs `performance.profile` and, where there is none, `Profiler`. Importing this module has done it once. */
  install(options?: PolyprofInstallOptions): void;
  /**
   * When the page is hidden for good or put into the back/forward cache, ends the profiler and sends its trace. Throws a TypeError if
   * it is the browser's own profiler.
   */
  sendOnHide(
    profiler: Profiler | PolyprofDraftProfiler,
    url: string | URL,
    options?: { gzip?: boolean },
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

export declare const version: string;
export declare function install(options?: PolyprofInstallOptions): void;
declare const polyprof: Polyprof;
export default polyprof;

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
    /** What is really used. */
    readonly options: { sampleInterval: number };
    onsamplebufferfull: ((this: PolyprofDraftProfiler, event: Event) => unknown) | null;
    /** The same trace each time. */
    stop(): Promise<ProfilerTrace>;
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

  interface Performance {
    /**
     * Resolves when sampling runs. Rejects with a NotSupportedError that says why and what to do, with a TypeError or RangeError if
     * an option is wrong.
     */
    profile(options: { sampleInterval: number; maxBufferSize?: number }): Promise<PolyprofDraftProfiler>;
  }

  // eslint-disable-next-line no-var
  var polyprof: Polyprof;
}
