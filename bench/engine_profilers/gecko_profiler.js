import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { launch } from '../../web-test/lib/browsers.js';
import { temporaryFolder } from '../../web-test/lib/children.js';
import { within } from './v8_profiler.js';

/** @import { ProfilerTrace } from '../../report/reading/check_trace.js' */
/** @import { OwnProfiler } from './launch_profiled.js' */

/**
 * @typedef {{meta: {startTime: number}, threads: Thread[], processes: GeckoProfile[]}} GeckoProfile `startTime`: ms since the epoch, of time 0
 * @typedef {{schema: Record<string, number>, data: any[][]}} Table rows, and where in them what is
 * @typedef {{samples: Table, stackTable: Table, frameTable: Table, stringTable: string[]}} Thread
 */

/** Samples, or what takes as much room: more than any run has. */
const ENTRIES = String(2 ** 24);

/** `name (url:line:column)[source]`; what has no name has no parentheses, and what is not of a script has no such address. */
const LOCATION = /^(?:(.*) \()?(\w+:\/\/[^ ]+?):(\d+):(\d+)\)?(?:\[\d+\])?$/;

/**
 * Firefox's own profiler, the one of profiler.firefox.com, at 1 ms. It writes what it saw when the browser ends, so each page has a browser of its own.
 * @returns {OwnProfiler}
 */
export function withGeckoProfiler() {
  /** @type {ProfilerTrace | undefined} */
  let trace;
  return {
    browser: {
      name: 'firefox',
      version: '',
      async open(url) {
        const folder = temporaryFolder();
        const file = join(folder.path, 'profile.json');
        const browser = await launch('firefox', {
          env: {
            MOZ_PROFILER_STARTUP: '1',
            MOZ_PROFILER_STARTUP_INTERVAL: '1',
            MOZ_PROFILER_STARTUP_FEATURES: 'js',
            MOZ_PROFILER_STARTUP_FILTERS: 'GeckoMain',
            MOZ_PROFILER_STARTUP_ENTRIES: ENTRIES,
            MOZ_PROFILER_SHUTDOWN: file,
          },
        });
        const page = await browser.open(url);
        const close = async () => {
          const origin = await page.evaluate('performance.timeOrigin');
          await browser.close();
          trace = traceOf(JSON.parse(readFileSync(file, 'utf8')), new URL(url).origin, origin);
          folder.release();
        };
        return Object.assign(page, { close });
      },
      async close() {},
    },
    takeTrace(from, to) {
      if (!trace) throw new Error('no page was closed');
      return within(trace, from, to);
    },
  };
}

/**
 * @param {GeckoProfile} profile
 * @param {string} site whose scripts tell the page's thread
 * @param {number} timeOrigin the page's
 * @returns {ProfilerTrace} built-in functions, the engine's own work and the like are their callers' time
 */
export function traceOf(profile, site, timeOrigin) {
  const threads = [profile, ...profile.processes].flatMap(({ meta, threads }) =>
    threads.map((thread) => ({ thread, startTime: meta.startTime })),
  );
  const framesOfSite = (/** @type {{thread: Thread}} */ { thread }) =>
    thread.stringTable.filter((text) => text.includes(`${site}/`)).length;
  const { thread, startTime } = threads.reduce((a, b) => (framesOfSite(b) > framesOfSite(a) ? b : a));
  const { samples, stackTable, frameTable, stringTable } = thread;

  /** @type {Map<string, number>} */
  const resources = new Map();
  /** @type {ProfilerTrace['frames']} */
  const frames = [];
  // One script's function is many frames here, by where in it they are.
  /** @type {Map<string, number>} */
  const frameIds = new Map();
  const frameOf = (/** @type {any[]} */ row) => {
    const location = stringTable[row[frameTable.schema.location]];
    const known = frameIds.get(location);
    if (known !== undefined) return known;
    const [, name = '', url, line, column] = LOCATION.exec(location) ?? [];
    if (!url) return undefined;
    if (!resources.has(url)) resources.set(url, resources.size);
    const resourceId = resources.get(url);
    const id = frames.push({ name, resourceId, line: Number(line), column: Number(column) }) - 1;
    frameIds.set(location, id);
    return id;
  };

  /** @type {ProfilerTrace['stacks']} */
  const stacks = [];
  /** By row of the table, in which prefixes come first. @type {(number | undefined)[]} */
  const stackIds = [];
  for (const row of stackTable.data) {
    const prefix = row[stackTable.schema.prefix];
    const parentId = prefix === null ? undefined : stackIds[prefix];
    const frameId = frameOf(frameTable.data[row[stackTable.schema.frame]]);
    if (frameId === undefined) stackIds.push(parentId);
    else stackIds.push(stacks.push(parentId === undefined ? { frameId } : { frameId, parentId }) - 1);
  }
  const { stack, time } = samples.schema;
  const taken = samples.data.map((row) => {
    const timestamp = startTime + row[time] - timeOrigin;
    const stackId = row[stack] === null ? undefined : stackIds[row[stack]];
    return stackId === undefined ? { timestamp } : { timestamp, stackId };
  });
  return { resources: [...resources.keys()], frames, stacks, samples: taken };
}
