import { expressionOf, readOutcome } from '../../web-test/lib/evaluation.js';
import { startInspected } from './web_inspector.js';

/** @import { ProfilerTrace } from '../../report/reading/check_trace.js' */
/** @import { OwnProfiler } from './launch_profiled.js' */

/** @typedef {{stackFrames: {name: string, url: string, line: number, column: number}[]}} StackTrace of the inspector's protocol, the innermost first */

/**
 * JavaScriptCore's own profiler, the one of Web Inspector. It is asked by the inspector's protocol, of which WebDriver knows nothing: so this is a
 * browser that only the inspector drives. Samples come without usable times: some 700 a second, of when scripts run.
 * @param {string} blank address of a page, where it is started
 * @returns {OwnProfiler}
 */
export function withJscProfiler(blank) {
  /** @type {ProfilerTrace | undefined} */
  let trace;
  return {
    browser: {
      name: 'webkit',
      version: '',
      async open(url) {
        const { inspector, release } = await startInspected(blank);
        await inspector.send('ScriptProfiler.startTracking', { includeSamples: true });
        const loaded = inspector.event('Page.loadEventFired');
        await inspector.send('Page.enable');
        await inspector.send('Page.navigate', { url });
        await loaded;
        return {
          console: [],
          evaluate: async (code, ...args) => readOutcome(await inspector.evaluate(expressionOf(code, args))),
          async close() {
            const complete = inspector.event('ScriptProfiler.trackingComplete');
            await inspector.send('ScriptProfiler.stopTracking');
            trace = traceOf((await complete).samples.stackTraces);
            release();
          },
          goto: unable,
          screenshot: unable,
          hide: unable,
          show: unable,
        };
      },
      async close() {},
    },
    takeTrace() {
      if (!trace) throw new Error('no page was closed');
      return trace;
    },
  };
}

async function unable() {
  throw new Error('this browser is there to be profiled');
}

/** @param {StackTrace[]} stackTraces @returns {ProfilerTrace} built-in functions are their callers' time; of whole scripts only their functions are told */
export function traceOf(stackTraces) {
  /** @type {string[]} */
  const resources = [];
  /** @type {ProfilerTrace['frames']} */
  const frames = [];
  /** @type {ProfilerTrace['stacks']} */
  const stacks = [];
  /** @type {Map<string, number>} */
  const ids = new Map();
  /** @param {string} key @param {() => number} make */
  const idOf = (key, make) => {
    const id = ids.get(key) ?? make();
    ids.set(key, id);
    return id;
  };
  const samples = stackTraces.map(({ stackFrames }, timestamp) => {
    /** @type {number | undefined} */
    let stackId;
    for (const { name, url, line, column } of stackFrames.toReversed()) {
      if (!url) continue;
      const parentId = stackId;
      const resourceId = idOf(url, () => resources.push(url) - 1);
      const frameId = idOf(`${resourceId} ${line}:${column} ${name}`, () => {
        return frames.push({ name, resourceId, line, column }) - 1;
      });
      stackId = idOf(`${parentId} ${frameId}`, () => {
        return stacks.push(parentId === undefined ? { frameId } : { frameId, parentId }) - 1;
      });
    }
    return stackId === undefined ? { timestamp } : { timestamp, stackId };
  });
  return { resources, frames, stacks, samples };
}
