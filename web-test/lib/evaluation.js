/**
 * One way to run code in a page for every protocol: the code becomes the text of an expression whose value is a string. What
 * crosses the wire is JSON in both directions, so the three engines cannot differ in how they serialise, and no `eval` is used,
 * which a page's Content-Security-Policy would forbid.
 */

/** @typedef {((...args: any[]) => unknown) | string} Code a function, or the text of an expression */

/** An exception of code that ran in a page. `stack` is the page's. */
export class PageError extends Error {
  /** @param {{name: string, message: string, stack: string}} error */
  constructor({ name, message, stack }) {
    super(message);
    this.name = name;
    // V8 begins a stack with the error itself, the others do not.
    const frames = stack.replace(`${name}: ${message}`, '').trim();
    this.stack = `${name}: ${message}\n    in the page: ${frames}\n    in the test: ${this.stack}`;
  }
}

/**
 * @param {Code} code
 * @param {unknown[]} args JSON values
 * @returns {string} an expression: a promise of text for `readOutcome`, never rejected
 */
export function expressionOf(code, args) {
  const list = args.map((arg) => (arg === undefined ? 'undefined' : JSON.stringify(arg))).join(', ');
  const value = typeof code === 'function' ? `(${code})(${list})` : `(${code}\n)`;
  return `(async () => ${value})().then(
    (value) => JSON.stringify({ value }),
    (error) => JSON.stringify({ error: error instanceof Error
      ? { name: error.name, message: error.message, stack: String(error.stack) }
      : { name: 'Error', message: 'thrown: ' + String(error), stack: '' } }))`;
}

/** @param {unknown} text from the page @returns {any} the value; throws `PageError` */
export function readOutcome(text) {
  const { value, error } = JSON.parse(/** @type {string} */ (text));
  if (error) throw new PageError(error);
  return value;
}
