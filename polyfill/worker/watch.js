import { withoutHidden } from '../extra/hidden_scripts.js';
import { partOfTrace } from '../extra/part_of_trace.js';
import { timeNow, timeOrigin } from '../../wasm/clock.js';
import { attachCore } from '../../wasm/core.js';

/**
 * The worker of `watch`: asks the page's thread for a sign of life; while it waits for the answer, it samples; if that takes too long, it
 * sends what it has, and once more when the answer came. It lives from event to event, since requests are sent by the event loop.
 */

/**
 * @typedef {object} Start
 * @property {WebAssembly.Module} module
 * @property {WebAssembly.Memory} memory
 * @property {{pointer: number, stackTop: number}} seat
 * @property {number} timeOrigin the page's; ms since the epoch
 * @property {string} page its address; also of each answer
 * @property {number} threshold ms
 * @property {number} sampleInterval ms
 * @property {number} maxPerMinute
 * @property {Set<string>} hidden addresses of scripts that reports must not show
 * @property {number} lostWorkers that the page had before us
 * @property {string} [url] where reports go; without it, to the page
 */

/** Signs of life per threshold: what a stall can be longer than it is said to be, against wake-ups of an idle page. */
const PINGS_PER_THRESHOLD = 10;
const LONGEST_PAUSE_MS = 200;

/** Of a stall; later ones tell what earlier ones told. */
const MAX_SAMPLES = 1000;

/** Of a report; older samples are left out, all but one. */
const MAX_BYTES = 262144;

const encoder = new TextEncoder();

/** Longer gaps between our own samples are sleep of the machine, or of us: they don't make a stall. */
const LONGEST_GAPS = 10;

class Watch {
  #core;
  #start;
  #offset;
  #pauseMs;
  #isPaused = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** Of the core, while an answer is awaited; -1: none is. */
  #session = -1;
  /** The latest tick recorded. */
  #tick = 0;
  /** When the answer was asked for, when we last looked, and how long we have been waiting; ms. */
  #asked = 0;
  #looked = 0;
  #waited = 0;
  /** Whether what we wait for is a stall by now, and told. @type {'' | 'reported' | 'skipped'} */
  #stall = '';
  #stalls = 0;
  /** Addresses of scripts that reports must not show. @type {Set<string>} */
  hidden;
  /** When stalls were reported; ms. @type {number[]} */
  #reported = [];
  /** Stalls that were not reported, since there were too many, and reports that found no way. */
  #skipped = 0;
  /** Looks at the stack for which the core had no room. */
  #lost = 0;
  /** All reports so far. @type {Promise<unknown>} */
  #sent = Promise.resolve();
  #page;

  /** @param {import('../../wasm/core.js').Core} core @param {Start} start */
  constructor(core, start) {
    this.#core = core;
    this.#start = start;
    this.hidden = start.hidden;
    this.#page = start.page;
    this.#offset = timeOrigin() - start.timeOrigin;
    this.#pauseMs = Math.min(start.threshold / PINGS_PER_THRESHOLD, LONGEST_PAUSE_MS);
  }

  ask() {
    clearTimeout(this.#timer);
    if (this.#isPaused || this.#session >= 0) return;
    // Of a core that is full nothing gets free: the page starts a successor, with another one.
    if (this.#lost > 0) return this.stop();
    const now = this.#now();
    this.#session = this.#core.openSession(this.#start.sampleInterval, MAX_SAMPLES, now);
    this.#tick = this.#core.tickAt(now);
    this.#asked = this.#looked = now;
    this.#waited = 0;
    this.#stall = '';
    postMessage('ping');
    this.#timer = setTimeout(() => this.#look(), this.#start.sampleInterval);
  }

  /** @param {string} page its address now */
  answered(page) {
    if (this.#session >= 0) this.#end();
    this.#page = page;
    this.#timer = setTimeout(() => this.ask(), this.#pauseMs);
  }

  /** @param {boolean} isPaused */
  pause(isPaused) {
    this.#isPaused = isPaused;
    if (!isPaused) this.ask();
    else if (this.#session >= 0) this.#end();
  }

  async stop() {
    this.pause(true);
    postMessage('reporting');
    // Firefox drops what a worker that ends is still sending.
    await this.#sent;
    postMessage('stopped');
    close();
  }

  #look() {
    this.#timer = setTimeout(() => this.#look(), this.#start.sampleInterval);
    this.#sample();
    if (this.#stall !== '' || this.#waited < this.#start.threshold) return;
    this.#stalls++;
    this.#stall = this.#mayReport() ? 'reported' : 'skipped';
    if (this.#stall === 'skipped') this.#skipped++;
    else if (this.#start.url !== undefined) this.#report('running');
  }

  #sample() {
    const now = this.#now();
    this.#waited += Math.min(now - this.#looked, LONGEST_GAPS * this.#start.sampleInterval);
    this.#looked = now;
    const tick = this.#core.tickAt(now);
    if (tick <= this.#tick) return;
    const stack = this.#core.stackOfShadow();
    if (stack >= 0) this.#core.record(this.#tick, tick, stack);
    else this.#lost++;
    this.#tick = tick;
  }

  #end() {
    clearTimeout(this.#timer);
    this.#waited += Math.min(this.#now() - this.#looked, LONGEST_GAPS * this.#start.sampleInterval);
    if (this.#stall === 'reported') this.#report('ended');
    this.#core.releaseSession(this.#session);
    this.#session = -1;
  }

  /** @param {'running' | 'ended'} state */
  #report(state) {
    const stall = {
      id: this.#stalls,
      state,
      start: round(this.#asked),
      ms: round(this.#waited),
      page: this.#page,
      skipped: this.#skipped,
      lostSamples: this.#lost,
      lostWorkers: this.#start.lostWorkers,
    };
    postMessage('reporting');
    const text = this.#encode(stall);
    if (this.#start.url === undefined) postMessage(text);
    else {
      const request = /** @type {const} */ ({ method: 'POST', mode: 'no-cors', credentials: 'include' });
      const sent = fetch(this.#start.url, { ...request, body: text }).catch(() => this.#skipped++);
      this.#sent = Promise.all([this.#sent, sent]);
    }
  }

  #mayReport() {
    const now = this.#now();
    this.#reported = this.#reported.filter((time) => now - time < 60_000);
    return this.#reported.length < this.#start.maxPerMinute && this.#reported.push(now) > 0;
  }

  /** @param {object} stall @returns {string} */
  #encode(stall) {
    const json = withoutHidden(this.#core.encodeTrace(this.#session), this.hidden, false);
    const trace = JSON.parse(new TextDecoder().decode(json));
    const { length } = trace.samples;
    // Very deep stacks make many times the bytes: what is far too long is not even written.
    const halvings = Math.max(Math.floor(Math.log2(json.length / MAX_BYTES)), 0);
    for (let kept = Math.max(length >> halvings, Math.min(length, 1)); ; kept >>= 1) {
      const olderSamples = length - kept;
      const part = olderSamples > 0 ? { ...partOfTrace(trace, olderSamples, length), olderSamples } : trace;
      const report = JSON.stringify({ ...part, stall });
      if (encoder.encode(report).length <= MAX_BYTES || kept <= 1) return report;
    }
  }

  #now() {
    return timeNow() + this.#offset;
  }
}

/** @param {number} ms */
function round(ms) {
  return Math.round(ms * 1000) / 1000;
}

/** @type {Watch | undefined} */
let watch;

onmessage = async ({ data }) => {
  if (data === 'pause' || data === 'resume') watch?.pause(data === 'pause');
  else if (data === 'stop') watch?.stop();
  else if (watch && data.hidden) watch.hidden = data.hidden;
  else if (watch) watch.answered(data.page);
  else {
    try {
      const { module, memory, seat } = /** @type {Start} */ (data);
      watch = new Watch(await attachCore(module, memory, seat), data);
    } catch (error) {
      postMessage(String(error));
      return;
    }
    postMessage('ready');
  }
};
