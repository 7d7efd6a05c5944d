/** @import { ProfilerTrace } from '../report/check_trace.js' */
/** @import { Browser, Page } from '../web-test/lib/browsers.js' */

/**
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
 * @returns {{browser: Browser, takeTrace: () => ProfilerTrace}} a browser whose pages are profiled from their start until they are closed, and what was
 *   seen of the one that was closed last
 */
export function withV8Profiler(browser, blank) {
  /** @type {{nodes: Node[], samples: number[], timeDeltas: number[]} | undefined} */
  let profile;
  const open = async (/** @type {string} */ url) => {
    const page = await browser.open(blank);
    const session = await /** @type {Required<Page>} */ (page).devtools();
    await session.send('Profiler.enable');
    await session.send('Profiler.setSamplingInterval', { interval: 1000 });
    await session.send('Profiler.start');
    await page.goto(url);
    const close = page.close.bind(page);
    page.close = async () => {
      ({ profile } = /** @type {any} */ (await session.send('Profiler.stop')));
      await close();
    };
    return page;
  };
  const takeTrace = () => {
    if (!profile) throw new Error('no page was closed');
    return traceOf(profile);
  };
  return { browser: { ...browser, open }, takeTrace };
}

/**
 * @param {{nodes: Node[], samples: number[], timeDeltas: number[]}} profile
 * @returns {ProfilerTrace} built-in functions, regular expressions and the like are their callers' own time; garbage collection and what the
 *   profiler cannot say have no stack
 */
export function traceOf({ nodes, samples, timeDeltas }) {
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
  const idle = new Set(
    nodes.filter(({ callFrame }) => callFrame.functionName === '(idle)').map(({ id }) => id),
  );
  let timestamp = 0;
  const taken = samples.map((node, i) => {
    timestamp += timeDeltas[i] / 1000;
    const stackId = stackIds.get(node);
    return stackId === undefined ? { timestamp } : { timestamp, stackId };
  });
  // Before the page and after its work.
  return { resources, frames, stacks, samples: taken.filter((_, i) => !idle.has(samples[i])) };
}
