/** What the workloads are. Without imports, so that it can be read before anything is set up. @type {Record<string, string>} */
export const DESCRIPTIONS = Object.freeze({
  typescript: 'the compiler checks and emits the sources of zod',
  planck: 'a physics engine steps worlds of many touching bodies',
  marked: 'a Markdown parser renders the READMEs of all installed packages',
  preact: 'a user interface is clicked through, thousands of times',
});

/** Names of all workloads. */
export const WORKLOADS = Object.freeze(Object.keys(DESCRIPTIONS));
