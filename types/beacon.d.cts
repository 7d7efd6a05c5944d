/** `polyprof/beacon`: profiles some visitors of a page, some of the time, and sends the traces. docs/field-profiling.md. */

export interface BeaconOptions {
  /** Where to POST traces, e.g. a receiver: `npx polyprof collect`. */
  url: string | URL;
  /** Share of sessions that are profiled, 0 to 1; 1 by default. */
  sessionRate?: number;
  /** ms that are profiled at a time; 5,000 by default. */
  window?: number;
  /** ms from the beginning of one window to that of the next, at least `window`; 60,000 by default. */
  every?: number;
  /**
   * When the first window begins: at a random point of `every`, so that any moment of a visit is as likely to be seen as any other, or
   * at once. `'random'` by default.
   */
  start?: 'random' | 'now';
  /** ms; 10 by default. */
  sampleInterval?: number;
  /** True by default. */
  gzip?: boolean;
  /** Of one request before it is packed; longer traces are sent in parts. 60,000 by default. */
  maxBytes?: number;
  /** That may wait for the network; the oldest traces give way, the newest not before it was tried. 500,000 by default. */
  queueBytes?: number;
  /** Sent with each trace, such as the site's release. */
  tags?: Record<string, string>;
  /** What is sent in place of addresses of pages and scripts; by default without query, fragment and ids in a page's path. */
  anonymizeUrl?: (url: string, kind: 'page' | 'script') => string;
  /** Why nothing is profiled or sent. */
  onError?: (error: unknown) => void;
}

export interface Beacon {
  /** Whether this session is one of those that are profiled. */
  readonly isProfiled: boolean;
  /** Of all traces of a session. */
  readonly session: string;
  /** Requests that were answered, or that the browser took from a page that was hidden. */
  readonly sent: number;
  /** Requests that could not be sent: too much waited, or they were refused. */
  readonly dropped: number;
  /** Ends the window that is running, sends it and what waits, and begins no other. */
  stop(): void;
}

/** Throws a TypeError or RangeError if an option is wrong; what goes wrong later is for `onError`. */
export declare function startBeacon(options: BeaconOptions): Beacon;

/** What is left of an address by default. */
export declare function anonymizeUrl(url: string, kind: 'page' | 'script'): string;
