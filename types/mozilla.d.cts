/** `polyprof/mozilla`: the profiler of an older design, with results at once and in the form of a tree. docs/mozilla.md. */

export interface FunctionPlace {
  name: string;
  /** Address of the script; empty if nobody knows. */
  file: string;
  /** Of the definition, from 1; 0: nobody knows. */
  line: number;
  column: number;
}

export interface CallNode {
  function: FunctionPlace;
  /** Where in its caller it was called; null: nothing called it, or nobody knows, as with shadow probes. */
  site: { line: number; column: number } | null;
  /** What `frame()` gave, if it was called there. */
  data: object | null;
  /** `selfCount` and the `samples` of all children. */
  samples: number;
  /** Samples that end here. */
  selfCount: number;
  /** Heaviest first. */
  children: CallNode[];
}

export interface Results {
  /** Also of times at which nothing ran, which no child has. */
  samples: number;
  /** No page can tell. */
  gcSamples: 0;
  /** µs that were profiled. */
  micros: number;
  children: CallNode[];
}

export interface Sample {
  /** µs since the time origin. */
  micros: number;
  /** Samples that it stands for. */
  weight: number;
  /** From the outermost caller on; empty if nothing ran. */
  stack: FunctionPlace[];
}

export declare class Profiler {
  /** Of numbers, without keeping them. Of none, all but `count` are NaN. */
  static Statistics: new () => {
    insert(value: number): void;
    readonly count: number;
    readonly min: number;
    readonly max: number;
    readonly mean: number;
  };
  /** Resolves when what `start()` began samples; rejects with a NotSupportedError. */
  ready: Promise<unknown>;
  /**
   * Another one that profiles is stopped.
   * @param sampleRateUs µs from one sample to the next, rounded up to whole ms; 1,000 by default
   * @param maxSamples the newest are kept; 0, the default: all
   */
  start(sampleRateUs?: number, maxSamples?: number): void;
  stop(): void;
  isProfiling(): boolean;
  /** Of the stack that calls: the same object each time. While nothing is profiled, one that is not kept. */
  frame(): Record<string, any>;
  /** Of all since the last `reset()`. */
  results(): Results;
  /** Likewise, the oldest first. */
  samples(): Sample[];
  /** Forgets samples and what was attached to frames. */
  reset(): void;
}
