// In a worker: tells the page when a worker of its own is being made, and when it is.

const channel = new BroadcastChannel('nesting');
const PlainWorker = Worker;
globalThis.Worker = class extends PlainWorker {
  constructor(...args) {
    channel.postMessage('making');
    super(...args);
    channel.postMessage('made');
  }
};
