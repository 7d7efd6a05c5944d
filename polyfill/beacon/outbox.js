/** From the first failure on, doubled by each further one. */
const FIRST_PAUSE_MS = 10_000;
const LONGEST_PAUSE_MS = 600_000;

/** Timers take no more. A receiver that wants to be left alone for longer is not asked again by this page. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** So often in a row somebody has to say that he wants no traces. */
const MAX_REFUSALS = 3;

/** Too many, and what passes: it may be sent again. */
const isTemporary = (/** @type {number} */ status) => status === 408 || status === 429 || status >= 500;

/** @typedef {{body: Uint8Array, isPacked: boolean, tells: number}} Item `tells`: how many items were dropped, says this one */

/**
 * What is to be sent, oldest first. One request at a time; what fails stays until the network is back or it is time to try again, and gives
 * way when too much waits. A page that is hidden hands everything to the browser at once.
 */
export class Outbox {
  #url;
  #maxBytes;
  #onRefused;
  /** @type {Item[]} */
  #items = [];
  #bytes = 0;
  #isSending = false;
  #pause = FIRST_PAUSE_MS;
  #refusals = 0;
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
   */
  constructor(url, maxBytes, onRefused) {
    this.#url = url;
    this.#maxBytes = maxBytes;
    this.#onRefused = onRefused;
    const { signal } = this.#listening;
    addEventListener('online', () => this.#retry(), { signal });
    addEventListener('pagehide', () => this.sendNow(), { signal });
    document.addEventListener('visibilitychange', () => (document.hidden ? this.sendNow() : this.#retry()), {
      signal,
    });
  }

  /** No further items come: what waits is sent, and then nothing is left of it. */
  close() {
    this.#isClosed = true;
    this.#endIfEmpty();
  }

  #endIfEmpty() {
    if (this.#isClosed && this.#items.length === 0) this.#listening.abort();
  }

  /** @param {Item} item @param {boolean} [isLast] the page goes away now */
  add(item, isLast = document.hidden) {
    this.#items.push(item);
    this.#bytes += item.body.length;
    while (this.#bytes > this.#maxBytes && this.#items.length > 0) {
      this.#drop(this.#items[0]);
    }
    if (isLast) this.sendNow();
    else if (this.#timer === undefined) void this.#send();
  }

  /** Hands over what the browser will send without the page, the newest first: 64 kB at a time. Without a network it would be lost. */
  sendNow() {
    if (!navigator.onLine) return;
    for (const item of [...this.#items].reverse()) {
      if (!navigator.sendBeacon(this.#url, this.#blobOf(item))) continue;
      this.#remove(item);
      this.sent++;
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
    this.#isBack = this.#isSending;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    void this.#send();
  }

  async #send() {
    if (this.#isSending) return;
    this.#isSending = true;
    try {
      for (let item = this.#items[0]; item; item = this.#items[0]) {
        const { status, retryAfter } = await this.#post(item);
        if (status === 0 || isTemporary(status)) {
          if (this.#isBack) {
            this.#isBack = false;
            continue;
          }
          const pause = Math.min(Math.max(this.#pause, retryAfter * 1000), LONGEST_TIMEOUT_MS);
          this.#timer = setTimeout(() => this.#retry(), pause);
          this.#pause = Math.min(2 * this.#pause, LONGEST_PAUSE_MS);
          return;
        }
        this.#pause = FIRST_PAUSE_MS;
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
      }
    } finally {
      this.#isSending = false;
    }
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
    const isOwn = new URL(this.#url).origin === location.origin;
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
