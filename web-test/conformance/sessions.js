/* global anyTrace, busy, callInside, test_driver, expectEqual, expectTrue, isFull, namesOf, pause, startedProfiler, traceOf */
/** @import { Requirement } from './requirements.js' */

/** Sections "Definitions", "Profiling Sessions" and "Processing Model" of the WICG text. @type {Requirement[]} */
export const SESSIONS = [
  {
    section: 'Definitions',
    level: 'MUST',
    statement: 'a stack is ordered from its outermost frame to its innermost',
    async check() {
      const trace = await anyTrace();
      const stacks = trace.samples.map(({ stackId }) => namesOf(trace, stackId));
      const inner = stacks.find(([leaf]) => leaf === 'hotLoop');
      expectEqual(inner?.slice(0, 2), ['hotLoop', 'busy'], 'leaf and its caller');
    },
  },
  {
    section: 'Profiling Sessions',
    level: 'SHOULD',
    statement: 'several sessions at once, each with its own rate and its own end',
    async check() {
      const slow = new Profiler({ sampleInterval: 20, maxBufferSize: 10_000 });
      const fast = new Profiler({ sampleInterval: 10, maxBufferSize: 40 });
      await isFull(fast);
      const [slowTrace, fastTrace] = [await slow.stop(), await fast.stop()];
      expectEqual(fastTrace.samples.length, 40, 'samples of the fast one');
      expectTrue(slowTrace.samples.length > 10 && slowTrace.samples.length < 40, 'the slow one has fewer');
    },
  },
  {
    section: 'States',
    level: 'SHOULD',
    statement: 'while started, a sample is taken each time the interval has elapsed',
    async check() {
      const { samples } = await traceOf({ sampleInterval: 10, maxBufferSize: 40 });
      const gaps = samples.slice(1).map(({ timestamp }, i) => timestamp - samples[i].timestamp);
      const median = gaps.sort((a, b) => a - b)[gaps.length >> 1];
      expectTrue(median > 5 && median < 20, `the median distance, ${median} ms, is about 10 ms`);
    },
  },
  {
    section: 'States',
    level: 'MUST',
    statement: 'a session begins in the state started',
    async check() {
      const profiler = new Profiler({ sampleInterval: 10, maxBufferSize: 10 });
      expectEqual(profiler.stopped, false, 'stopped');
      await profiler.stop();
    },
  },
  {
    section: 'States',
    level: 'MUST',
    statement: 'a stopped session never runs again, and takes no samples',
    async check() {
      const profiler = await startedProfiler({ sampleInterval: 1, maxBufferSize: 10_000 });
      busy(20);
      const trace = await profiler.stop();
      const before = trace.samples.length;
      await traceOf();
      expectEqual([profiler.stopped, trace.samples.length], [true, before], 'stopped, and number of samples');
    },
  },
  {
    section: 'Take a sample',
    level: 'MUST',
    statement: 'a full buffer fires samplebufferfull at the profiler and stops the session',
    async check() {
      const profiler = new Profiler({ sampleInterval: 1, maxBufferSize: 5 });
      let states;
      profiler.addEventListener('samplebufferfull', (event) => {
        states = [profiler.stopped, event.type, event.target === profiler, event.constructor === Event];
      });
      const event = await isFull(profiler);
      expectEqual(states, [true, 'samplebufferfull', true, true], 'stopped, type, target, class');
      expectEqual([event.bubbles, event.cancelable], [false, false], 'bubbles, cancelable');
      expectEqual((await profiler.stop()).samples.length, 5, 'samples');
    },
    native: '`stopped` stays false until `stop()`',
  },
  {
    section: 'Take a sample',
    level: 'MUST',
    statement: 'a buffer without room is full at the first sample',
    async check() {
      const profiler = new Profiler({ sampleInterval: 1, maxBufferSize: 0 });
      await isFull(profiler);
      expectEqual((await profiler.stop()).samples, [], 'samples');
    },
  },
  {
    section: 'Take a sample',
    level: 'MUST',
    statement: 'timestamps are relative to the time origin, in the order of sampling',
    async check() {
      const before = performance.now();
      const { samples } = await traceOf();
      const after = performance.now();
      const times = samples.map(({ timestamp }) => timestamp);
      expectTrue(times[0] >= before - 2 && times.at(-1) <= after + 2, `${before} ${times[0]} ${after}`);
      expectTrue(
        times.every((time, i) => i === 0 || time >= times[i - 1]),
        'ascending',
      );
    },
  },
  {
    section: 'Get a stack ID',
    level: 'MUST',
    statement: 'a sample without a stack has no stackId, an outermost frame no parentId',
    async check() {
      const { samples, stacks } = await anyTrace();
      expectTrue(
        samples.some((sample) => !('stackId' in sample)),
        'an idle sample has no such member',
      );
      expectTrue(
        stacks.some((stack) => !('parentId' in stack)),
        'an outermost stack has no such member',
      );
    },
  },
  {
    section: 'Get a frame ID',
    level: 'MUST',
    statement: 'a frame has the name, script, line and column at which its function is defined, from 1',
    async check() {
      const { frames, resources } = await anyTrace();
      const hot = frames.find(({ name }) => name === 'hotLoop');
      expectEqual(Object.keys(hot).sort(), ['column', 'line', 'name', 'resourceId'], 'members');
      expectEqual(resources[hot.resourceId], new URL('busy.js', location.href).href, 'resource');
      // 'function hotLoop(ms) {': where in it the text does not say.
      expectEqual([hot.line, hot.column > 0 && hot.column <= 17], [3, true], 'line, column');
    },
  },
  {
    section: 'Get an element ID',
    level: 'MUST',
    statement: 'no two resources, frames or stacks are equal',
    async check() {
      const trace = await anyTrace();
      for (const list of ['resources', 'frames', 'stacks']) {
        const texts = trace[list].map((row) => JSON.stringify(Object.entries(row).sort()));
        expectEqual(new Set(trace[list].length > 0 ? texts : []).size, trace[list].length, list);
      }
    },
  },
  {
    section: 'Get an element ID',
    level: 'MUST',
    statement: 'elements are numbered as they are first seen, callers before what they call',
    async check() {
      const { samples, stacks, frames, resources } = await anyTrace();
      const inOrder = (numbers) => {
        let next = 0;
        return numbers.every((number) => number === undefined || number < next || number === next++);
      };
      const pathOf = (id) => (id === undefined ? [] : [...pathOf(stacks[id].parentId), id]);
      const seen = samples.flatMap(({ stackId }) => pathOf(stackId));
      expectTrue(inOrder(seen) && Math.max(-1, ...seen) === stacks.length - 1, 'stacks by samples');
      const used = stacks.map(({ frameId }) => frameId);
      expectTrue(inOrder(used) && Math.max(-1, ...used) === frames.length - 1, 'frames by stacks');
      const named = frames.map(({ resourceId }) => resourceId);
      expectTrue(
        inOrder(named) && Math.max(-1, ...named.filter((id) => id >= 0)) === resources.length - 1,
        'resources by frames',
      );
    },
    native: 'frames are numbered from the innermost outwards',
  },
  {
    section: 'Force Sample',
    level: 'MUST',
    statement: 'all started sessions take a sample at once, which has its own time and may fill the buffer',
    async check() {
      const profiler = await startedProfiler({ sampleInterval: 1e6, maxBufferSize: 3 });
      const other = await startedProfiler({ sampleInterval: 1e6, maxBufferSize: 10 });
      const before = performance.now();
      await callInside(test_driver.force_sample);
      await test_driver.force_sample();
      let isFull = false;
      profiler.addEventListener('samplebufferfull', () => (isFull = true));
      callInside(() => void test_driver.force_sample());
      const after = performance.now();
      for (let turns = 0; turns < 100 && !isFull; turns++) await pause(5);
      await test_driver.force_sample();
      const [trace, { samples }] = [await profiler.stop(), await other.stop()];
      const stacks = trace.samples.map(({ stackId }) => namesOf(trace, stackId));
      const isInside = stacks.map((names) => names.includes('callInside'));
      expectEqual(isInside, [true, false, true], 'stacks with the caller');
      expectEqual(stacks[1], [], 'stack of a task that runs nothing');
      expectEqual(samples.length, 4, 'samples of the other session');
      for (const { timestamp } of trace.samples) {
        expectTrue(timestamp > before - 2 && timestamp < after + 2, `${before} ${timestamp} ${after}`);
      }
    },
    native: 'only WebDriver can do it',
  },
];
