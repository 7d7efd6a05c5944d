import { MERGED } from '../../report/traces/sample_counts.js';

/** @import { ProfilerTrace } from '../../report/reading/check_trace.js' */
/** @import { Browser, Page } from '../../web-test/lib/browsers.js' */

/**
 * @typedef {{nodes: Node[], samples: number[], timeDeltas: number[], startTime: number}} Profile of the DevTools protocol; times are µs of
 *   the clock that `performance.now()` counts from the navigation on
 *
 * @typedef {object} Node of a profile of the DevTools protocol; parents come before their children
 * @property {number} id
 * @property {{functionName: string, url: string, lineNumber: number, columnNumber: number}} callFrame of the function's definition, counted from
 *   0; what is not of a script has no URL
 * @property {number[]} [children]
 */

/**
 * V8's own profiler, which DevTools shows, at 1 ms. It is the one that the page's `Profiler` gets its samples from, but has a stack in nearly
 * all of them.
 * @param {Browser} browser Chromium
 * @param {string} blank address of a page of the same site, where it is started
 * @returns {{browser: Browser, takeTrace: (from: number, to: number) => ProfilerTrace}} a browser whose pages are profiled from their start until they
 *   are closed, and what was seen of the one that was closed last, between two times of its `performance.now()`
 */
export function withV8Profiler(browser, blank) {
  /** @type {Profile | undefined} */
  let profile;
  let navigation = 0;
  const open = async (/** @type {string} */ url) => {
    const page = await browser.open(blank);
    const session = await /** @type {Required<Page>} */ (page).devtools();
    await session.send('Performance.enable');
    await session.send('Profiler.enable');
    await session.send('Profiler.setSamplingInterval', { interval: 1000 });
    await session.send('Profiler.start');
    await page.goto(url);
    const close = page.close.bind(page);
    page.close = async () => {
      ({ profile } = /** @type {any} */ (await session.send('Profiler.stop')));
      const { metrics } = /** @type {any} */ (await session.send('Performance.getMetrics'));
      navigation = 1e6 * metrics.find((/** @type {any} */ { name }) => name === 'NavigationStart').value;
      await close();
    };
    return page;
  };
  const takeTrace = (/** @type {number} */ from, /** @type {number} */ to) => {
    if (!profile) throw new Error('no page was closed');
    const { startTime } = profile;
    return weighted(within(traceOf({ ...profile, startTime: startTime - navigation }), from, to));
  };
  return { browser: { ...browser, open }, takeTrace };
}

/**
 * @param {Profile} profile
 * @returns {ProfilerTrace} built-in functions, regular expressions and the like are their callers' own time; garbage collection is of what ran
 *   before it, as DevTools shows it; what the profiler cannot say has no stack
 */
export function traceOf({ nodes, samples, timeDeltas, startTime }) {
  /** @type {string[]} */
  const resources = [];
  /** @type {ProfilerTrace['frames']} */
  const frames = [];
  /** @type {ProfilerTrace['stacks']} */
  const stacks = [];
  /** @type {Map<number, number>} ids of nodes */
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  /** By node. @type {Map<number | undefined, number | undefined>} */
  const stackIds = new Map();
  for (const { id, callFrame } of nodes) {
    const parentId = stackIds.get(parents.get(id));
    const { functionName, url, lineNumber, columnNumber } = callFrame;
    if (!url) {
      stackIds.set(id, parentId);
      continue;
    }
    if (!resources.includes(url)) resources.push(url);
    const frame = { name: functionName, resourceId: resources.indexOf(url) };
    const frameId = frames.push({ ...frame, line: lineNumber + 1, column: columnNumber + 1 }) - 1;
    stackIds.set(id, stacks.push(parentId === undefined ? { frameId } : { frameId, parentId }) - 1);
  }
  const named = (/** @type {string} */ name) =>
    new Set(nodes.filter(({ callFrame }) => callFrame.functionName === name).map(({ id }) => id));
  const idle = named('(idle)');
  const collection = named('(garbage collector)');
  /** @type {number | undefined} */
  let last;
  let timestamp = startTime / 1000;
  const taken = samples.map((node, i) => {
    timestamp += timeDeltas[i] / 1000;
    const stackId = collection.has(node) ? last : stackIds.get(node);
    last = stackId;
    return stackId === undefined ? { timestamp } : { timestamp, stackId };
  });
  // Before the page and after its work.
  return { resources, frames, stacks, samples: taken.filter((_, i) => !idle.has(samples[i])) };
}

/** @param {ProfilerTrace} trace @param {number} from @param {number} to @returns {ProfilerTrace} what was sampled between two times */
export function within(trace, from, to) {
  return { ...trace, samples: trace.samples.filter(({ timestamp }) => timestamp >= from && timestamp <= to) };
}

/**
 * V8's samples are not evenly spaced: while it compiles much there are gaps, and bursts after them. So each counts for the time around it, half of that
 * to the one before and half of that to the next one. That makes them as uncertain as fewer even ones; it is these that the counts add up to.
 * @param {ProfilerTrace} trace @returns {ProfilerTrace}
 */
export function weighted(trace) {
  const times = trace.samples.map(({ timestamp }) => timestamp);
  const spans = times.map((time, i) => ((times[i + 1] ?? time) - (times[i - 1] ?? time)) / 2);
  const sum = spans.reduce((total, span) => total + span, 0);
  const squares = spans.reduce((total, span) => total + span ** 2, 0);
  const counts = spans.map((span) => (span * sum) / squares);
  return { ...trace, [MERGED]: { counts, ms: spans } };
}
