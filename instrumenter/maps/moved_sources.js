import path from 'node:path';

/** What is relative is no address, and no name that a bundler made. */
const RELATIVE = /^(?![\w+.-]+:|[/\\\0])/;

/**
 * @param {import('@jridgewell/trace-mapping').DecodedSourceMap} map
 * @param {string} folder that its sources are relative to, itself relative to another one, with `/`
 * @returns {import('@jridgewell/trace-mapping').DecodedSourceMap} the map with sources that are relative to that one
 */
export function withSourcesFrom(map, folder) {
  const root = map.sourceRoot ? map.sourceRoot.replace(/\/?$/, '/') : '';
  const sources = map.sources.map((source) => {
    if (source === null) return null;
    const named = root + source;
    return RELATIVE.test(named) ? path.posix.join(folder, named) : named;
  });
  return { ...map, sources, sourceRoot: undefined };
}
