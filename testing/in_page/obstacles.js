/** Addresses that are told of; of a page that is blocked everywhere, some say it all. */
export const MAX_BLOCKED = 10;

/** What a page does not get since it is profiled. */
export class Obstacles {
  #refusedServiceWorker = '';
  /** @type {Set<string>} */
  #blocked = new Set();

  /** To be called before the page runs. */
  refuseServiceWorkers() {
    if (!navigator.serviceWorker) return;
    navigator.serviceWorker.register = async (url) => {
      this.#refusedServiceWorker = String(new URL(url, document.baseURI));
      throw new DOMException('blocked while polyprof profiles the page', 'SecurityError');
    };
  }

  /** What other servers do not let an isolated page have. */
  noteBlocked() {
    const note = (/** @type {any} */ { target }) => {
      const url = String(target?.src || target?.href || '');
      if (globalThis.crossOriginIsolated && /^https?:/.test(url) && !url.startsWith(`${globalThis.origin}/`))
        this.#blocked.add(url);
    };
    addEventListener('error', note, true);
  }

  /** @returns {Pick<import('./outcome.js').Outcome, 'blocked' | 'serviceWorker' | 'refusedServiceWorker'>} so far */
  met() {
    return {
      blocked: [...this.#blocked].slice(0, MAX_BLOCKED),
      serviceWorker: navigator.serviceWorker?.controller?.scriptURL ?? '',
      refusedServiceWorker: this.#refusedServiceWorker,
    };
  }
}
