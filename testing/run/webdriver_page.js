/**
 * A page over WebDriver, with as much as a script of `polyprof run` needs; the names are those of Playwright and Puppeteer.
 * https://www.w3.org/TR/webdriver2/
 */
export class WebdriverPage {
  #base;

  /** @param {string} base address of the WebDriver session @param {string} version of the browser */
  constructor(base, version) {
    this.#base = base;
    this.version = version;
  }

  /**
   * @param {number} port of a WebDriver
   * @param {object} capabilities
   * @param {number} [timeout] how long the browser may take to start, ms: of one that ended at once, drivers tell nothing
   * @returns {Promise<WebdriverPage>}
   */
  static async open(port, capabilities, timeout = BROWSER_START_MS) {
    const body = { capabilities: { alwaysMatch: capabilities } };
    const signal = AbortSignal.timeout(timeout);
    const { sessionId, capabilities: given } = await command(
      'POST',
      `http://127.0.0.1:${port}/session`,
      body,
      signal,
    ).catch((error) => {
      throw signal.aborted ? new Error(`the browser did not start within ${timeout / 1000} s`) : error;
    });
    const page = new WebdriverPage(`http://127.0.0.1:${port}/session/${sessionId}`, given.browserVersion);
    await page.#post('timeouts', { script: PAGE_ANSWER_MS, pageLoad: PAGE_ANSWER_MS });
    return page;
  }

  /** @param {string} url @returns {Promise<void>} after `load` */
  async goto(url) {
    await this.#post('url', { url });
  }

  /** @returns {Promise<string>} */
  async url() {
    return command('GET', `${this.#base}/url`);
  }

  /**
   * @param {string | ((...args: any[]) => unknown)} code an expression, or a function whose text runs in the page
   * @param {unknown[]} args JSON
   * @returns {Promise<any>} JSON; rejects with what it threw
   */
  async evaluate(code, ...args) {
    const call = typeof code === 'function' ? `(${code})(...arguments[0])` : `(${code}\n)`;
    const script = `const done = arguments[1];
      (async function () { return ${call} }).call(window, ...arguments).then(
        (value) => done({ value }), (error) => done({ error: String(error) }))`;
    const { value, error } = await this.#post('execute/async', { script, args: [args] });
    if (error !== undefined) throw new Error(error);
    return value;
  }

  /** @param {string} selector CSS; waits for it */
  async click(selector) {
    await this.#post(`element/${await this.#element(selector)}/click`, {});
  }

  /** @param {string} selector CSS; waits for it @param {string} text */
  async type(selector, text) {
    await this.#post(`element/${await this.#element(selector)}/value`, { text });
  }

  /** @param {string} selector CSS */
  async waitForSelector(selector) {
    await this.#element(selector);
  }

  async close() {
    await command('DELETE', this.#base);
  }

  /** @param {string} selector @returns {Promise<string>} its id, once it is there */
  async #element(selector) {
    for (const end = Date.now() + ELEMENT_MS; ;) {
      try {
        const found = await this.#post('element', { using: 'css selector', value: selector });
        return String(Object.values(found)[0]);
      } catch (error) {
        if (!/^no such element/.test(/** @type {Error} */ (error).message) || Date.now() > end) throw error;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  }

  /** @param {string} path @param {object} body */
  #post(path, body) {
    return command('POST', `${this.#base}/${path}`, body);
  }
}

/** How long a browser may take to start, a page to load or to answer, and an element to appear, ms. */
const BROWSER_START_MS = 60_000;
export const PAGE_ANSWER_MS = 120_000;
const ELEMENT_MS = 30_000;

/** @param {string} method @param {string} url @param {object} [body] @param {AbortSignal} [signal] @returns {Promise<any>} */
async function command(method, url, body, signal) {
  const response = await fetch(url, { method, body: body && JSON.stringify(body), signal });
  const { value } = /** @type {any} */ (await response.json());
  if (!response.ok) throw new Error(`${value.error}: ${value.message}`);
  return value;
}
