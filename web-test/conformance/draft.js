/* global attributesOf, busy, expectEqual, expectError, expectTrue, isFull, namesOf */
/** @import { Requirement } from './requirements.js' */

/** The draft of 2018. @type {Requirement[]} */
export const DRAFT = [
  {
    section: 'Extensions to Performance',
    level: 'MUST',
    statement:
      'performance.profile is a method of one argument that gives a promise, also for what it refuses',
    async check() {
      expectEqual(attributesOf(Performance.prototype, 'profile'), 'wec', 'attributes');
      const { profile } = performance;
      expectEqual([profile.name, profile.length], ['profile', 1], 'name, length');
      for (const receiver of [undefined, {}, Performance.prototype]) {
        await expectError('TypeError', () => profile.call(receiver, { sampleInterval: 10 }));
      }
      const promise = performance.profile();
      expectTrue(promise instanceof Promise, 'a promise');
      await expectError('TypeError', () => promise);
    },
  },
  {
    section: 'profile()',
    level: 'MUST',
    statement: 'a negative sampleInterval is a RangeError, none or no number a TypeError',
    async check() {
      await expectError('RangeError', () => performance.profile({ sampleInterval: -1 }));
      for (const options of [null, 1, {}, { sampleInterval: NaN }, { sampleInterval: 1n }]) {
        await expectError('TypeError', () => performance.profile(options));
      }
    },
  },
  {
    section: 'profile()',
    level: 'MUST',
    statement: 'categories without a supported one are an error',
    note: 'The draft requires them; its later versions have none. Here they may be left out.',
    async check() {
      for (const categories of [[], ['gc'], 1, null, ['js', Symbol('s')], ['js', Object.create(null)]]) {
        await expectError('TypeError', () => performance.profile({ sampleInterval: 10, categories }));
      }
      const profiler = await performance.profile({ sampleInterval: 10, categories: new Set(['gc', 'js']) });
      expectEqual(profiler.options.categories, ['js'], 'categories');
      await profiler.stop();
    },
  },
  {
    section: 'profile()',
    level: 'MUST',
    statement: 'the promise resolves once the session has started: what runs then is sampled',
    async check() {
      const profiler = await performance.profile({ sampleInterval: 1 });
      busy(400);
      const trace = await profiler.stop();
      const hot = trace.samples.filter(({ stackId }) => namesOf(trace, stackId).includes('busy'));
      expectTrue(hot.length > 30, `${hot.length} samples of it`);
    },
  },
  {
    section: 'ProfilerInitOptions',
    level: 'MUST',
    statement:
      'maxBufferSize is the capacity in samples, sampleBufferSize its older name; without either there is a default',
    async check() {
      for (const options of [
        { maxBufferSize: 3 },
        { sampleBufferSize: 3 },
        { maxBufferSize: 3, sampleBufferSize: 9 },
      ]) {
        const profiler = await performance.profile({ sampleInterval: 1, ...options });
        await isFull(profiler);
        expectEqual((await profiler.stop()).samples.length, 3, JSON.stringify(options));
      }
      for (const [options, size] of [
        [{}, 100_000],
        [{ maxBufferSize: undefined, sampleBufferSize: undefined }, 100_000],
        [{ sampleBufferSize: null }, 0],
        [{ maxBufferSize: null, sampleBufferSize: 9 }, 0],
      ]) {
        const profiler = await performance.profile({ sampleInterval: 1, ...options });
        expectEqual(profiler.options.maxBufferSize, size, JSON.stringify(options));
        await profiler.stop();
      }
    },
  },
  {
    section: 'The Profiler Interface',
    level: 'MUST',
    statement: 'options are those of the session, with the interval really used; stopped is its state',
    async check() {
      const profiler = await performance.profile({ sampleInterval: 2.5, maxBufferSize: 70 });
      const { options } = profiler;
      expectTrue(
        options.sampleInterval >= 2.5 && options.sampleInterval === profiler.sampleInterval,
        'interval',
      );
      expectEqual([options.maxBufferSize, options.categories, profiler.stopped], [70, ['js'], false]);
      expectTrue(profiler.options === options && Object.isFrozen(options), 'one frozen object');
      await profiler.stop();
      expectEqual(profiler.stopped, true);
    },
  },
  {
    section: 'The Profiler Interface',
    level: 'MUST',
    statement: 'members check their receiver, and the class name is Profiler',
    async check() {
      const profiler = await performance.profile({ sampleInterval: 10 });
      const { stop } = profiler;
      const { get } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(profiler), 'options');
      await profiler.stop();
      expectEqual(String(profiler), '[object Profiler]');
      await expectError('TypeError', () => stop.call({}));
      await expectError('TypeError', async () => get.call({}));
    },
  },
  {
    section: 'The Profiler Interface',
    level: 'MUST',
    statement:
      'onsamplebufferfull is an event handler: called in its turn, with its event, null or an object',
    async check() {
      const profiler = await performance.profile({ sampleInterval: 1, maxBufferSize: 3 });
      expectEqual(profiler.onsamplebufferfull, null, 'at first');
      const log = [];
      profiler.addEventListener('samplebufferfull', () => log.push('listener before'));
      profiler.onsamplebufferfull = () => log.push('replaced');
      profiler.addEventListener('samplebufferfull', () => log.push('listener after'));
      profiler.onsamplebufferfull = function handler(event) {
        log.push(this === profiler && event.target === profiler ? event.type : 'something else');
      };
      expectEqual(profiler.onsamplebufferfull.name, 'handler', 'attribute');
      await isFull(profiler);
      expectEqual(log, ['listener before', 'samplebufferfull', 'listener after'], 'calls');
      await profiler.stop();

      const next = await performance.profile({ sampleInterval: 1, maxBufferSize: 3 });
      const calls = [];
      next.onsamplebufferfull = () => calls.push('taken back');
      next.addEventListener('samplebufferfull', () => calls.push('listener'));
      next.onsamplebufferfull = 1;
      expectEqual(next.onsamplebufferfull, null, 'of what is no object');
      next.onsamplebufferfull = () => calls.push('set anew');
      await isFull(next);
      expectEqual(calls, ['listener', 'set anew'], 'calls of one that was null meanwhile');
      const object = { handleEvent: () => calls.push('no listener'), call: () => calls.push('no function') };
      next.onsamplebufferfull = object;
      expectTrue(next.onsamplebufferfull === object, 'an object, which is never called');
      next.dispatchEvent(new Event('samplebufferfull'));
      expectEqual(calls.length, 3, 'calls');
      await next.stop();
    },
  },
  {
    section: 'States',
    level: 'MUST',
    statement: 'a full buffer stops the session, and the trace can still be had',
    async check() {
      const profiler = await performance.profile({ sampleInterval: 1, maxBufferSize: 4 });
      await isFull(profiler);
      expectEqual(profiler.stopped, true);
      expectEqual((await profiler.stop()).samples.length, 4, 'samples');
    },
  },
  {
    section: 'stop()',
    level: 'MUST',
    statement: 'of a stopped session it gives the same trace again, also when called twice at once',
    async check() {
      const profiler = await performance.profile({ sampleInterval: 10 });
      const [first, second] = await Promise.all([profiler.stop(), profiler.stop()]);
      expectTrue(first === second && first === (await profiler.stop()), 'the same object');
    },
  },
  {
    section: 'stop()',
    level: 'MUST',
    statement:
      'with the format json or json-gzip, given to profile() or stop(), the trace is an ArrayBuffer of that',
    async check() {
      const textOf = async (buffer, format) => {
        expectTrue(buffer instanceof ArrayBuffer, 'an ArrayBuffer');
        const { body } = new Response(buffer);
        return new Response(
          format === 'json' ? body : body.pipeThrough(new DecompressionStream('gzip')),
        ).text();
      };
      for (const format of ['json', 'json-gzip']) {
        const profiler = await performance.profile({ sampleInterval: 1, maxBufferSize: 20, format });
        await isFull(profiler);
        const text = await textOf(await profiler.stop(), format);
        expectEqual(JSON.parse(text).samples.length, 20, 'samples');
        expectTrue((await profiler.stop()) === (await profiler.stop({ format })), 'the same one each time');
      }
      const profiler = await performance.profile({ sampleInterval: 1 });
      busy(30);
      const trace = await profiler.stop();
      for (const format of ['json', 'json-gzip']) {
        const text = await textOf(await profiler.stop({ format }), format);
        expectEqual(JSON.parse(text), trace, format);
      }
      expectTrue(trace === (await profiler.stop()), 'the object stays');
    },
  },
  {
    section: 'stop()',
    level: 'MUST',
    statement: 'another format is a TypeError, as are options that are no object, and ends nothing',
    async check() {
      await expectError('TypeError', () => performance.profile({ sampleInterval: 10, format: 'xml' }));
      const profiler = await performance.profile({ sampleInterval: 10 });
      for (const options of [{ format: 'gzip' }, { format: null }, 1, 'json']) {
        await expectError('TypeError', () => profiler.stop(options));
      }
      expectEqual(profiler.stopped, false);
      await profiler.stop(null);
    },
  },
];
