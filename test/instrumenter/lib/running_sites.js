/**
 * @param {string} file
 * @returns {{name: string, line: number, column: number}[]} the functions of a script that are running, as V8 says, the innermost first
 *   (the top level is called `top`), and where each one is, 1-based
 */
export function runningSites(file) {
  const { prepareStackTrace, stackTraceLimit } = Error;
  Error.stackTraceLimit = Infinity;
  Error.prepareStackTrace = (_, sites) => sites;
  const sites = /** @type {any[]} */ (/** @type {unknown} */ (new Error().stack));
  Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  return (
    sites
      // Who waits for an async function is not running.
      .filter((site) => site.getFileName() === file && !site.isAsync())
      .map((site) => ({
        name: site.getFunctionName() ?? 'top',
        line: site.getLineNumber(),
        column: site.getColumnNumber(),
      }))
      // Initialisers of classes have no probes: their caller is charged.
      .filter(({ name }) => !name.startsWith('<'))
  );
}
