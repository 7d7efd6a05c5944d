/** Runs in the page: `workers` are all that it starts from now on. */
export function rememberWorkers() {
  /** @type {Worker[]} */
  const workers = [];
  const PageWorker = Worker;
  globalThis.Worker = class extends PageWorker {
    constructor(/** @type {ConstructorParameters<typeof Worker>} */ ...args) {
      super(...args);
      workers.push(this);
    }
  };
  /** @type {any} */ (globalThis).workers = workers;
}
