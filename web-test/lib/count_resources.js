/** Runs in the page: counts what it makes from now on and what of that is gone again; `resources()` tells. */
export function countResources() {
  const realm = /** @type {any} */ (globalThis);
  const counts = { workers: 0, endedWorkers: 0, listeners: 0, memories: 0 };
  realm.Worker = class extends realm.Worker {
    constructor(/** @type {any[]} */ ...args) {
      super(...args);
      counts.workers++;
    }
    terminate() {
      super.terminate();
      counts.endedWorkers++;
    }
  };
  for (const target of [realm, document]) {
    const { addEventListener, removeEventListener } = target;
    target.addEventListener = function (/** @type {any[]} */ ...args) {
      counts.listeners++;
      return addEventListener.apply(this, args);
    };
    target.removeEventListener = function (/** @type {any[]} */ ...args) {
      counts.listeners--;
      return removeEventListener.apply(this, args);
    };
  }
  const timers = new Set();
  const { setInterval, clearInterval } = realm;
  realm.setInterval = (/** @type {any[]} */ ...args) => {
    const timer = setInterval(...args);
    timers.add(timer);
    return timer;
  };
  realm.clearInterval = (/** @type {unknown} */ timer) => {
    timers.delete(timer);
    clearInterval(timer);
  };
  const { WebAssembly } = realm;
  WebAssembly.Memory = class extends WebAssembly.Memory {
    constructor(/** @type {any[]} */ ...args) {
      super(...args);
      counts.memories++;
    }
  };
  realm.resources = () => ({
    ...counts,
    timers: timers.size,
    hook: Reflect.ownKeys(realm.__polyprof__).length,
  });
}
