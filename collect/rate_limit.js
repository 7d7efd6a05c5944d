const MINUTE_MS = 60_000;

/** Addresses remembered; of more, those that were seen longest ago are forgotten. */
const MAX_ADDRESSES = 100_000;

/**
 * A token bucket per address, which holds what may be sent in a minute.
 */
export class RateLimit {
  #perMinute;
  /** In the order of last use. @type {Map<string, {tokens: number, at: number}>} */
  #buckets = new Map();

  /** @param {number} perMinute 0: no limit */
  constructor(perMinute) {
    this.#perMinute = perMinute;
  }

  /**
   * @param {string} address
   * @param {number} now ms
   * @returns {number} 0: go on; else seconds until the next request may come
   */
  take(address, now) {
    if (this.#perMinute === 0) return 0;
    const key = networkOf(address);
    const bucket = this.#buckets.get(key) ?? { tokens: this.#perMinute, at: now };
    this.#buckets.delete(key);
    const perMs = this.#perMinute / MINUTE_MS;
    bucket.tokens = Math.min(this.#perMinute, bucket.tokens + Math.max(0, now - bucket.at) * perMs);
    bucket.at = now;
    const wait = bucket.tokens >= 1 ? 0 : Math.ceil((1 - bucket.tokens) / perMs / 1000);
    if (wait === 0) bucket.tokens--;
    this.#buckets.set(key, bucket);
    if (this.#buckets.size > MAX_ADDRESSES) {
      const [oldest] = this.#buckets.keys();
      this.#buckets.delete(oldest);
    }
    return wait;
  }
}

/** One customer of IPv6 has 2^64 addresses. @param {string} address */
function networkOf(address) {
  if (!address.includes(':') || address.includes('.')) return address;
  const [head, tail] = address.split('::');
  const groups = head.split(':');
  const end = tail === undefined ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : Array(Math.max(0, 8 - groups.length - end.length)).fill('0');
  return [...groups, ...zeros, ...end].slice(0, 4).join(':');
}
