/** Source maps of webpack and Rspack: by the option `devtool`, or by plugins of which the user has one in its place. */

/** Modules as texts for `eval`, in which nothing is found. */
const HIDING = ['EvalSourceMapDevToolPlugin', 'EvalDevToolModulePlugin'];

/** @param {any} compiler @returns {boolean} does the user want source maps? */
export function wantsSourceMaps(compiler) {
  return Boolean(compiler.options.devtool) || hasPlugin(compiler, 'SourceMapDevToolPlugin');
}

/** @param {any} compiler @returns {string | undefined} what hides functions from probes, and what to do about it; undefined: nothing does */
export function hiddenFunctions(compiler) {
  const { devtool } = compiler.options;
  if (/eval/.test(String(devtool))) {
    return `devtool '${devtool}' hides functions from probes: set devtool to 'source-map' or 'cheap-module-source-map'`;
  }
  const name = HIDING.find((each) => hasPlugin(compiler, each));
  return name && `${name} hides functions from probes: use SourceMapDevToolPlugin`;
}

/** @param {any} compiler @param {string} name of one of the bundler's own plugins, if its version has it */
function hasPlugin({ webpack, options }, name) {
  const Plugin = webpack[name];
  return (
    Plugin !== undefined && options.plugins.some((/** @type {unknown} */ each) => each instanceof Plugin)
  );
}
