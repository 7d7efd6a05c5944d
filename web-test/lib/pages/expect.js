/* global polyprof */

/** What the checks of web-test/conformance/ have in the page. */

/** @param {unknown} actual @param {unknown} expected both as JSON tells them @param {string} [what] */
globalThis.expectEqual = (actual, expected, what = 'value') => {
  const [is, should] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (is !== should) throw new Error(`${what} is ${is}, should be ${should}`);
};

/** @param {unknown} condition @param {string} what */
globalThis.expectTrue = (condition, what) => {
  if (!condition) throw new Error(`not true: ${what}`);
};

/** @param {string} name of the error @param {() => unknown} call that throws it, or rejects with it */
globalThis.expectError = async (name, call) => {
  let outcome = 'nothing was thrown';
  try {
    await call();
  } catch (error) {
    outcome = error?.name ?? String(error);
  }
  globalThis.expectEqual(outcome, name, `outcome of ${call}`);
};

/** Like `expectError`, and it is thrown at once. */
globalThis.expectThrow = (name, call) => {
  let outcome = 'nothing was thrown';
  try {
    call()?.stop?.();
  } catch (error) {
    outcome = error?.name ?? String(error);
  }
  globalThis.expectEqual(outcome, name, `outcome of ${call}`);
};

globalThis.pause = (ms = 0) => new Promise((resolve) => setTimeout(resolve, ms));

/** A profiler that has begun to sample: the constructor cannot tell when it does, but its buffer can. */
globalThis.startedProfiler = async (options) => {
  const [scout] = [new Profiler({ sampleInterval: 1, maxBufferSize: 1 })];
  const profiler = new Profiler(options);
  await globalThis.isFull(scout);
  await scout.stop();
  return profiler;
};

/** Works and pauses, both for long enough to be sampled on a busy machine, until the profiler's buffer is full. @returns {Promise<Event>} */
globalThis.isFull = async (profiler) => {
  let event;
  profiler.addEventListener('samplebufferfull', (full) => (event = full));
  while (!event) {
    globalThis.busy(30);
    await globalThis.pause(10);
  }
  return event;
};

/** @returns {Promise<any>} */
globalThis.traceOf = async (options = { sampleInterval: 2, maxBufferSize: 100 }) => {
  const profiler = new Profiler(options);
  await globalThis.isFull(profiler);
  return profiler.stop();
};

/** A trace with busy and idle samples, if ten tries give one: of a page that the machine stops for 200 ms there may be only idle ones. */
async function mixedTrace(tries = 10) {
  const trace = await globalThis.traceOf();
  const busy = trace.samples.filter(({ stackId }) => stackId !== undefined).length;
  return (busy > 0 && busy < trace.samples.length) || tries === 1 ? trace : mixedTrace(tries - 1);
}

/** @type {Promise<any> | undefined} */
let knownTrace;
/** One for all checks that only look at what is in it, with busy and idle samples. @returns {Promise<any>} */
globalThis.anyTrace = () => (knownTrace ??= mixedTrace());

/** @returns {string[]} names of the frames of a sample, leaf first */
globalThis.namesOf = (trace, stackId) => {
  const names = [];
  for (let id = stackId; id !== undefined; id = trace.stacks[id].parentId) {
    names.push(trace.frames[trace.stacks[id].frameId].name);
  }
  return names;
};

/** @returns {string} writable, enumerable, configurable, each by its letter */
globalThis.attributesOf = (object, name) => {
  const { writable, enumerable, configurable } = Object.getOwnPropertyDescriptor(object, name) ?? {};
  return `${writable ? 'w' : ''}${enumerable ? 'e' : ''}${configurable ? 'c' : ''}`;
};

/** By the name that web-platform-tests give it; there it is a command of WebDriver's. */
globalThis.test_driver = {
  async force_sample() {
    polyprof.forceSample();
  },
};
