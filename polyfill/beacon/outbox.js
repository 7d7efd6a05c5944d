/** From the first failure on, doubled by each further one. */
const FIRST_PAUSE_MS = 10_000;
const LONGEST_PAUSE_MS = 600_000;

/** Timers take no more. A receiver that wants to be left alone for longer is not asked again by this page. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** So often in a row somebody has to say that he wants no traces. */
const MAX_REFUSALS = 3;

/** So many requests without an answer are more than bad luck. */
const MAX_UNANSWERED = 3;

/** Too many, and what passes: it may be sent again. */
const isTemporary = (/** @type {number} */ status) => status === 408 || status === 429 || status >= 500;

/**
 * @typedef {{body: Uint8Array, isPacked: boolean, tells: number}} Content `tells`: how many items were dropped, says this one
 * @typedef {Content & {failures: number, due: number}} Item `due`: not tried again before; ms, on the clock of `performance.now()`
 */

/** @param {number} failures in a row, one or more @returns {number} ms */
const pauseAfter = (failures) => Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS);

/**
 * What is to be sent. One request at a time; what fails stays until the network is back or it is time to try again, and gives way when too
 * much waits, the oldest first. After a failure all wait, since the receiver may have no time; what fails while others arrive is then left to
 * wait for longer alone. A page that is hidden hands what is new to the browser at once, and the rest when it closes.
 */
export class Outbox {
  #url;
  #maxBytes;
  #onRefused;
  #onUnanswered;
  /** The oldest first. @type {Item[]} */
  #items = [];
  #bytes = 0;
  /** On its way. @type {Item | undefined} */
  #sending;
  /** Since the last item that arrived. */
  #failures = 0;
  /** Nothing is sent before; ms, as `due` of items. */
  #due = 0;
  #refusals = 0;
  /** Requests without an answer, though there is a network, since the last time that nothing waited. */
  #unanswered = 0;
  #isUnansweredTold = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** Items that were answered, or that the browser took from a page that was hidden. */
  sent = 0;
  /** Items that gave way, or were refused. */
  dropped = 0;
  #untold = 0;
  /** The network came back while a request was on its way. */
  #isBack = false;
  #listening = new AbortController();
  #isClosed = false;

  /**
   * @param {string} url
   * @param {number} maxBytes that wait
   * @param {(error: Error) => void} onRefused the receiver wants no traces
   * @param {(error: Error) => void} onUnanswered called once: nobody answers, or not so that the page may know of it
   */
  constructor(url, maxBytes, onRefused, onUnanswered) {
    this.#url = url;
    this.#maxBytes = maxBytes;
    this.#onRefused = onRefused;
    this.#onUnanswered = onUnanswered;
    const { signal } = this.#listening;
    addEventListener('online', () => this.#retry(), { signal });
    addEventListener('pagehide', () => this.#handOver(this.#items), { signal });
    // What the browser did not take of a page that was hidden is sent when it is seen again.
    document.addEventListener(
      'visibilitychange',
      () => (document.hidden ? this.sendNow() : this.#sendDue()),
      {
        signal,
      },
    );
  }

  /** No further items come: what waits is sent, and then nothing is left of it. */
  close() {
    this.#isClosed = true;
    this.#endIfEmpty();
    this.#sendDue();
  }

  #endIfEmpty() {
    if (this.#isClosed && this.#items.length === 0) this.#listening.abort();
  }

  /** @param {Content} content @param {boolean} [isLast] the page goes away now */
  add(content, isLast = document.hidden) {
    if (this.#refusals >= MAX_REFUSALS) return void this.dropped++;
    this.#items.push({ ...content, failures: 0, due: 0 });
    this.#bytes += content.body.length;
    this.#makeRoom();
    if (isLast) this.sendNow();
    else this.#sendDue();
  }

  /** Hands over what was not tried yet: a receiver that had no time for the rest has none now, and nobody would know whether it took it. */
  sendNow() {
    this.#handOver(this.#items.filter(({ failures }) => failures === 0));
  }

  /** The browser will send it without the page, the newest first: 64 kB at a time. Without a network it would be lost. @param {Item[]} items */
  #handOver(items) {
    if (!navigator.onLine) return;
    for (const item of [...items].reverse()) {
      if (!navigator.sendBeacon(this.#url, this.#blobOf(item))) continue;
      this.#remove(item);
      this.sent++;
    }
  }

  /** What waits too long gives way, but not what may arrive right now, nor the newest before it was tried. */
  #makeRoom() {
    const newest = this.#items.at(-1);
    const waits = (/** @type {Item} */ item) =>
      item !== this.#sending && (item !== newest || item.failures > 0);
    while (this.#bytes > this.#maxBytes) {
      const oldest = this.#items.find(waits);
      if (!oldest) return;
      this.#drop(oldest);
    }
  }

  /** @returns {number} items dropped that no other one tells; the caller's next one does */
  takeUntold() {
    const untold = this.#untold;
    this.#untold = 0;
    return untold;
  }

  /** @param {Item} item with what it would have told */
  #drop(item) {
    if (!this.#remove(item)) return;
    this.dropped++;
    this.#untold += 1 + item.tells;
  }

  #retry() {
    this.#isBack = this.#sending !== undefined;
    this.#due = 0;
    for (const item of this.#items) item.due = 0;
    this.#sendDue();
  }

  /** Now, and the rest when it is time. */
  #sendDue() {
    clearTimeout(this.#timer);
    if (this.#sending || this.#items.length === 0) return;
    const due = Math.max(this.#due, Math.min(...this.#items.map((item) => item.due)));
    const left = due - performance.now();
    if (left > 0) this.#timer = setTimeout(() => this.#sendDue(), left);
    else void this.#send();
  }

  async #send() {
    try {
      for (let item = this.#next(); item; item = this.#next()) {
        this.#sending = item;
        const { status, retryAfter } = await this.#post(item);
        this.#sending = undefined;
        if (status === 0 || isTemporary(status)) {
          if (this.#isBack) {
            this.#isBack = false;
            continue;
          }
          this.#fail(item, status, retryAfter * 1000);
          return;
        }
        this.#failures = 0;
        if (status < 400) {
          // If `sendNow` was faster, the receiver tells by the id that it is the same.
          if (this.#remove(item)) this.sent++;
          this.#refusals = 0;
        } else {
          this.#drop(item);
          if (++this.#refusals === MAX_REFUSALS) {
            while (this.#items.length > 0) this.#drop(this.#items[0]);
            this.#onRefused(new Error(`startBeacon: ${this.#url} answered ${status}: no further traces`));
          }
        }
        if (this.#items.length === 0) this.#unanswered = 0;
      }
    } finally {
      this.#sending = undefined;
      this.#sendDue();
    }
  }

  /** Of those that failed least often the oldest: one that never arrives is not to stand before all others. */
  #next() {
    const now = performance.now();
    const due = this.#items.filter((item) => item.due <= now);
    const least = Math.min(...due.map(({ failures }) => failures));
    return due.find(({ failures }) => failures === least);
  }

  /** @param {Item} item @param {number} status @param {number} pauseMs that the receiver wants at least */
  #fail(item, status, pauseMs) {
    const now = performance.now();
    item.due = now + pauseAfter(++item.failures);
    this.#due = now + Math.min(Math.max(pauseAfter(++this.#failures), pauseMs), LONGEST_TIMEOUT_MS);
    this.#makeRoom();
    if (status > 0 || !navigator.onLine || ++this.#unanswered < MAX_UNANSWERED || this.#isUnansweredTold)
      return;
    this.#isUnansweredTold = true;
    this.#onUnanswered(
      new Error(
        `startBeacon: ${this.#url} cannot be reached, or does not let this page read its answers: traces wait`,
      ),
    );
  }

  /** @param {Item} item @returns {Promise<{status: number, retryAfter: number}>} 0: no answer; s */
  async #post(item) {
    try {
      const { status, headers } = await fetch(this.#url, { method: 'POST', body: this.#blobOf(item) });
      return { status, retryAfter: Number(headers.get('Retry-After')) || 0 };
    } catch {
      return { status: 0, retryAfter: 0 };
    }
  }

  /** To other origins as text, whatever it is: that may be sent without asking first, for which a page that closes has no time. @param {Item} item */
  #blobOf({ body, isPacked }) {
    const isOwn = new URL(this.#url).origin === globalThis.origin;
    const type = isOwn ? (isPacked ? 'application/gzip' : 'application/json') : 'text/plain;charset=UTF-8';
    return new Blob([/** @type {Uint8Array<ArrayBuffer>} */ (body)], { type });
  }

  /** @param {Item} item @returns {boolean} whether it was still there */
  #remove(item) {
    const index = this.#items.indexOf(item);
    if (index < 0) return false;
    this.#items.splice(index, 1);
    this.#bytes -= item.body.length;
    this.#endIfEmpty();
    return true;
  }
}
