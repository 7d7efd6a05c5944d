import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { instrument } from '../../instrumenter/instrument.js';

/** What a site's author wrote: in what browsers load, nothing has its name or its place. */
const SOURCES = {
  'shop.ts': `/** Adds things up. */
export class Shop {
  total(items: number[]): number {
    return addUp(items, 0);
  }
}

function addUp(items: number[], start: number): number {
  return items.reduce(function plus(sum, item) {
    return sum + item;
  }, start);
}
`,
  'main.ts': `import { Shop } from './shop';

const checkout = (items: number[]): number => new Shop().total(items);
console.log(checkout([1, 2]));
`,
};

/** How each function reads in the bundle, up to its parameters: where engines say that it is defined. */
const DEFINITIONS = [/total(?=\()/, /function \w+(?=\()/, /reduce\(function(?=\()/, /var \w+=(?=\w+=>)/];

/** The same functions as their author knows them. The minifier dropped a name that nobody used. */
export const ORIGINALS = Object.freeze([
  'total src/shop.ts:3',
  'addUp src/shop.ts:8',
  '(anonymous) src/shop.ts:9',
  'checkout src/main.ts:3',
]);

/** As function tables have them: the instrumenter looks names that the minifier dropped up in the sources. */
export const ORIGINALS_OF_TABLES = Object.freeze(
  ORIGINALS.map((text) => text.replace('(anonymous)', 'plus')),
);

/**
 * Writes sources, and what a bundler makes of them: one minified line with a source map.
 * @param {string} folder
 * @returns {{code: string, map: string}}
 */
export function bundleSite(folder) {
  mkdirSync(join(folder, 'src'), { recursive: true });
  for (const [name, text] of Object.entries(SOURCES)) writeFileSync(join(folder, 'src', name), text);
  const { outputFiles } = buildSync({
    entryPoints: [join(folder, 'src/main.ts')],
    outfile: join(folder, 'app.js'),
    bundle: true,
    minify: true,
    sourcemap: 'external',
    write: false,
  });
  const [map, code] = outputFiles.map(({ text }) => text);
  return { code, map };
}

/** @param {string} folder @returns {{code: string, map: string, table: Uint8Array}} the bundle with probes in all functions */
export function instrumentedSite(folder) {
  const bundle = bundleSite(folder);
  const { code, map, table } = instrument(bundle.code, {
    file: 'app.js',
    minWeight: 0,
    inputMap: bundle.map,
  });
  return { code, map: JSON.stringify(map), table: /** @type {Uint8Array} */ (table) };
}

/**
 * A trace as engines make it of the bundle: a sample per function, with its name and place in the file.
 * @param {string} code of the file
 * @param {string} url of the file
 * @returns {import('../../report/reading/check_trace.js').ProfilerTrace}
 */
export function traceOfSite(code, url) {
  const frames = DEFINITIONS.map((definition) => {
    const { 0: text, index } = /** @type {RegExpExecArray} */ (definition.exec(code));
    const before = code.slice(0, index + text.length).split('\n');
    const [name] = /\w+(?==?$)/.exec(text.replace(/\(function$/, '(')) ?? [''];
    return { name, resourceId: 0, line: before.length, column: before[before.length - 1].length + 1 };
  });
  return {
    resources: [url],
    frames,
    stacks: frames.map((_, frameId) => ({ frameId })),
    samples: frames.map((_, stackId) => ({ timestamp: stackId, stackId })),
  };
}
