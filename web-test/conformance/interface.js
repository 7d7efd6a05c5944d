/* global anyTrace, attributesOf, busy, expectEqual, expectError, expectThrow, expectTrue, isFull, startedProfiler */
/** @import { Requirement } from './requirements.js' */

/** Sections "The Profiler Interface" and those of the dictionaries in the WICG text, by WebIDL. @type {Requirement[]} */
export const INTERFACE = [
  {
    section: 'The Profiler Interface',
    level: 'MUST',
    statement:
      'the interface object is a class of one argument that extends EventTarget, a property of the global object',
    check() {
      expectEqual(attributesOf(globalThis, 'Profiler'), 'wc', 'attributes of the global property');
      expectEqual([Profiler.name, Profiler.length], ['Profiler', 1], 'name, length');
      expectTrue(Object.getPrototypeOf(Profiler) === EventTarget, 'it inherits from EventTarget');
      expectEqual(Object.getOwnPropertyNames(Profiler).sort(), ['length', 'name', 'prototype'], 'members');
      expectEqual(attributesOf(Profiler, 'prototype'), '', 'attributes of prototype');
      expectThrow('TypeError', () => Profiler({ sampleInterval: 1, maxBufferSize: 1 }));
    },
  },
  {
    section: 'The Profiler Interface',
    level: 'MUST',
    statement: 'the prototype has the members of the text with the attributes of WebIDL, and no other',
    check() {
      const { prototype } = Profiler;
      expectTrue(Object.getPrototypeOf(prototype) === EventTarget.prototype, 'its prototype');
      const names = Reflect.ownKeys(prototype).map(String).sort();
      expectEqual(
        names,
        ['Symbol(Symbol.toStringTag)', 'constructor', 'sampleInterval', 'stop', 'stopped'],
        'members',
      );
      expectEqual(attributesOf(prototype, 'constructor'), 'wc', 'constructor');
      expectEqual(attributesOf(prototype, 'stop'), 'wec', 'stop');
      expectEqual([prototype.stop.name, prototype.stop.length], ['stop', 0], 'name and length of stop');
      expectThrow('TypeError', () => new prototype.stop());
      for (const name of ['sampleInterval', 'stopped']) {
        const { get, set } = Object.getOwnPropertyDescriptor(prototype, name);
        expectEqual([attributesOf(prototype, name), set], ['ec', undefined], name);
        expectEqual([get.name, get.length], [`get ${name}`, 0], `getter of ${name}`);
      }
      expectEqual(attributesOf(prototype, Symbol.toStringTag), 'c', 'toStringTag');
      expectEqual(prototype[Symbol.toStringTag], 'Profiler', 'toStringTag');
    },
  },
  {
    section: 'The Profiler Interface',
    level: 'MUST',
    statement: 'members check their receiver: attributes throw, stop() gives a rejected promise',
    async check() {
      const { prototype } = Profiler;
      const profiler = new Profiler({ sampleInterval: 10, maxBufferSize: 10 });
      for (const receiver of [
        new Proxy(profiler, {}),
        undefined,
        null,
        1,
        {},
        prototype,
        new EventTarget(),
        Object.create(prototype),
      ]) {
        for (const name of ['sampleInterval', 'stopped']) {
          const { get } = Object.getOwnPropertyDescriptor(prototype, name);
          expectThrow('TypeError', () => get.call(receiver));
        }
        const promise = prototype.stop.call(receiver);
        expectTrue(promise instanceof Promise, 'a promise');
        await expectError('TypeError', () => promise);
      }
      expectEqual(profiler.stopped, false, 'stopped through a proxy');
      await profiler.stop();
    },
  },
  {
    section: 'The Profiler Interface',
    level: 'MUST',
    statement: 'an object has no properties of its own, and is an EventTarget in all',
    async check() {
      const profiler = new Profiler({ sampleInterval: 10, maxBufferSize: 10 });
      expectEqual(Reflect.ownKeys(profiler), [], 'own properties');
      expectEqual(Object.prototype.toString.call(profiler), '[object Profiler]', 'as text');
      let calls = 0;
      const listener = () => calls++;
      profiler.addEventListener('any', listener, { once: true });
      profiler.dispatchEvent(new Event('any'));
      profiler.dispatchEvent(new Event('any'));
      expectEqual(calls, 1, 'calls');
      await profiler.stop();
    },
  },
  {
    section: 'The Profiler Interface',
    level: 'MUST',
    statement: 'it can be subclassed',
    async check() {
      class Mine extends Profiler {
        answer = 42;
        stop() {
          return super.stop().then(({ samples }) => samples.length);
        }
      }
      const profiler = new Mine({ sampleInterval: 1, maxBufferSize: 3 });
      expectEqual([profiler instanceof Mine, profiler.answer, profiler.stopped], [true, 42, false]);
      await isFull(profiler);
      expectEqual(await profiler.stop(), 3, 'samples');
    },
  },
  {
    section: 'The Profiler Interface',
    level: 'MUST',
    statement: 'sampleInterval is the one really used, at least what was asked for',
    async check() {
      for (const asked of [0, 1, 7.3, 16, '25']) {
        const profiler = new Profiler({ sampleInterval: asked, maxBufferSize: 10 });
        const { sampleInterval } = profiler;
        await profiler.stop();
        expectTrue(sampleInterval >= Number(asked) && sampleInterval > 0, `${asked} gives ${sampleInterval}`);
      }
    },
  },
  {
    section: 'new Profiler(options)',
    level: 'MUST',
    statement: 'options must be an object with both members, which are numbers: TypeError',
    check() {
      expectThrow('TypeError', () => new Profiler());
      const bad = [undefined, null, 1, 'text', Symbol('s'), {}, { sampleInterval: 1 }, { maxBufferSize: 1 }];
      const values = [NaN, Infinity, -Infinity, 'soon', Symbol('s'), 1n, {}, undefined];
      for (const sampleInterval of values) bad.push({ sampleInterval, maxBufferSize: 1 });
      for (const maxBufferSize of [Symbol('s'), 1n, undefined])
        bad.push({ sampleInterval: 1, maxBufferSize });
      for (const options of bad) expectThrow('TypeError', () => new Profiler(options));
    },
  },
  {
    section: 'new Profiler(options)',
    level: 'MUST',
    statement: 'a negative sampleInterval is a RangeError',
    check() {
      for (const sampleInterval of [-1, -1e-9, '-5']) {
        expectThrow('RangeError', () => new Profiler({ sampleInterval, maxBufferSize: 10 }));
      }
    },
    native: 'what is less than a microsecond below 0 counts as 0',
  },
  {
    section: 'new Profiler(options)',
    level: 'MUST',
    statement: 'members are read once each, in lexicographical order, each converted before the next is read',
    async check() {
      const log = [];
      const value = (name) => ({ valueOf: () => (log.push(`convert ${name}`), 10) });
      const options = new Proxy(
        {},
        { get: (_, name) => (log.push(`get ${String(name)}`), value(String(name))) },
      );
      await new Profiler(options).stop();
      const expected = ['maxBufferSize', 'sampleInterval'].flatMap((name) => [
        `get ${name}`,
        `convert ${name}`,
      ]);
      expectEqual(log, expected, 'order');
    },
  },
  {
    section: 'new Profiler(options)',
    level: 'MUST',
    statement: 'maxBufferSize is an unsigned long: it wraps, and fractions are cut off',
    async check() {
      for (const maxBufferSize of [3.9, '3', 2 ** 32 + 3, [3], new Date(3)]) {
        const profiler = new Profiler({ sampleInterval: 1, maxBufferSize });
        await isFull(profiler);
        expectEqual((await profiler.stop()).samples.length, 3, String(maxBufferSize));
      }
    },
  },
  {
    section: 'new Profiler(options)',
    level: 'MUST',
    statement: 'members may be inherited, options a function or a proxy; others do not matter',
    async check() {
      const options = { sampleInterval: 10, maxBufferSize: 10, categories: 1, extra: Symbol('s') };
      const all = [Object.create(options), Object.assign(() => {}, options), new Proxy(options, {})];
      for (const each of all) await new Profiler(each).stop();
    },
  },
  {
    section: 'new Profiler(options)',
    level: 'MUST',
    statement: 'what a getter, a proxy or a conversion throws comes out as it is, and nothing is started',
    check() {
      const mine = new EvalError('mine');
      const fail = () => {
        throw mine;
      };
      const { proxy, revoke } = Proxy.revocable({}, {});
      revoke();
      const own = [
        Object.defineProperty({ sampleInterval: 1 }, 'maxBufferSize', { get: fail }),
        Object.defineProperty({ maxBufferSize: 1 }, 'sampleInterval', { get: fail }),
        { sampleInterval: { valueOf: fail }, maxBufferSize: 1 },
        new Proxy({}, { get: fail }),
      ];
      for (const options of own) {
        let thrown;
        try {
          new Profiler(options);
        } catch (error) {
          thrown = error;
        }
        expectTrue(thrown === mine, 'the very error');
      }
      expectThrow('TypeError', () => new Profiler(proxy));
    },
  },
  {
    section: 'new Profiler(options)',
    level: 'MUST',
    statement: 'arguments are converted before the prototype of new.target is looked at',
    check() {
      const log = [];
      const Target = new Proxy(class extends Profiler {}, {
        get: (target, name, receiver) => (log.push(String(name)), Reflect.get(target, name, receiver)),
      });
      const options = {
        get maxBufferSize() {
          return (log.push('options'), 1);
        },
        sampleInterval: 1,
      };
      const profiler = Reflect.construct(Profiler, [options], Target);
      expectEqual(log, ['options', 'prototype'], 'order');
      return profiler.stop();
    },
    native: 'V8 makes the object first',
  },
  {
    section: 'stop()',
    level: 'MUST',
    statement: 'stopped is true at once, before the promise resolves',
    async check() {
      const profiler = new Profiler({ sampleInterval: 10, maxBufferSize: 10 });
      const promise = profiler.stop();
      expectEqual([profiler.stopped, promise instanceof Promise], [true, true]);
      await promise;
      expectEqual(profiler.stopped, true);
    },
  },
  {
    section: 'stop()',
    level: 'MUST',
    statement:
      'of a session that was stopped it rejects with InvalidStateError, also at once and while it starts',
    async check() {
      const profiler = new Profiler({ sampleInterval: 10, maxBufferSize: 10 });
      const [first, second] = await Promise.allSettled([profiler.stop(), profiler.stop()]);
      expectEqual([first.status, second.reason?.name], ['fulfilled', 'InvalidStateError']);
      expectTrue(second.reason instanceof DOMException, 'a DOMException');
      await expectError('InvalidStateError', () => profiler.stop());
    },
  },
  {
    section: 'stop()',
    level: 'MAY',
    statement: 'of a session whose buffer became full it gives the trace, once',
    note: 'By the letter that session is stopped and `stop()` rejects, so that no full buffer could ever be read. The draft says that the trace may be collected, web-platform-tests expect it, and Chromium does it.',
    async check() {
      const profiler = new Profiler({ sampleInterval: 1, maxBufferSize: 4 });
      await isFull(profiler);
      expectEqual((await profiler.stop()).samples.length, 4, 'samples');
      await expectError('InvalidStateError', () => profiler.stop());
    },
  },
  {
    section: 'stop()',
    level: 'SHOULD',
    statement: 'samples taken after the call are not in the trace',
    async check() {
      const profiler = await startedProfiler({ sampleInterval: 1, maxBufferSize: 10_000 });
      busy(100);
      const promise = profiler.stop();
      // Afterwards: the system may let the page wait between the two.
      const end = performance.now();
      busy(30);
      const { samples } = await promise;
      expectTrue(samples.length > 0, 'samples taken before are');
      const { timestamp } = samples.at(-1);
      expectTrue(timestamp <= end + 2, `none is later, as ${timestamp} would be, than ${end}`);
    },
  },
  {
    section: 'The dictionaries',
    level: 'MUST',
    statement: 'a trace is made of plain objects and arrays with the members of the text, and no other',
    async check() {
      const trace = await anyTrace();
      expectEqual(structuredClone(trace), trace, 'its clone');
      const lists = Object.keys(trace).sort();
      expectEqual(lists, ['frames', 'resources', 'samples', 'stacks'], 'members');
      const allowed = {
        frames: ['name', 'resourceId', 'line', 'column'],
        stacks: ['frameId', 'parentId'],
        // `marker` is of the text's extension markers.md.
        samples: ['timestamp', 'stackId', 'marker'],
      };
      expectTrue(
        trace.resources.every((url) => typeof url === 'string'),
        'resources are strings',
      );
      for (const [list, names] of Object.entries(allowed)) {
        expectTrue(Array.isArray(trace[list]) && trace[list].length > 0, `${list} is an array`);
        for (const row of trace[list]) {
          expectTrue(Object.getPrototypeOf(row) === Object.prototype, `plain objects in ${list}`);
          expectEqual(
            Reflect.ownKeys(row).filter((name) => !names.includes(name)),
            [],
            `further members in ${list}`,
          );
          expectTrue(names[0] in row, `${names[0]} in ${list}`);
          for (const name of Object.keys(row)) expectEqual(attributesOf(row, name), 'wec', name);
        }
      }
    },
  },
  {
    section: 'The dictionaries',
    level: 'MUST',
    statement: 'ids are indexes into their lists',
    async check() {
      const { resources, frames, stacks, samples } = await anyTrace();
      const all = (rows, name, list) =>
        rows.every((row) => row[name] === undefined || (Number.isInteger(row[name]) && row[name] in list));
      expectTrue(all(frames, 'resourceId', resources), 'resourceId');
      expectTrue(all(stacks, 'frameId', frames), 'frameId');
      expectTrue(all(stacks, 'parentId', stacks), 'parentId');
      expectTrue(all(samples, 'stackId', stacks), 'stackId');
    },
  },
];
