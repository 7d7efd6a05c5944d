import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildWorkload as buildExample, WORKLOADS as EXAMPLES } from '../../examples/workloads/build.js';
import { ROOT } from '../lib/folders.js';

/** The workloads of `npm start`, and some that only a bench wants. */

const FROM = fileURLToPath(new URL('./src/', import.meta.url));
const NODE_MODULES = join(ROOT, 'node_modules');

/** Sources that acorn parses. */
const SOURCES = [
  'preact/dist/preact.mjs',
  'planck/dist/planck.mjs',
  'marked/lib/marked.esm.js',
  'immer/dist/immer.mjs',
  'three/build/three.core.js',
];

/** @type {Record<string, () => unknown>} */
const INPUTS = {
  objects: () => null,
  recursion: () =>
    Object.fromEntries(SOURCES.map((path) => [path, readFileSync(join(NODE_MODULES, path), 'utf8')])),
  todomvc: () => null,
  startup: () => null,
};

const LIBRARIES = [
  'three',
  'react',
  'react-dom/client',
  'lodash',
  'rxjs',
  'immer',
  'acorn',
  'planck',
  'marked',
  'preact',
];

export const WORKLOADS = Object.freeze([...EXAMPLES, ...Object.keys(INPUTS)]);

/** @param {string} name @param {string} folder of all bundles @returns {Promise<string>} its folder in it */
export function buildWorkload(name, folder) {
  if (EXAMPLES.includes(name)) return buildExample(name, folder);
  const imports = LIBRARIES.map((library, i) => `import * as _${i} from '${library}';`).join('');
  const all = LIBRARIES.map((_, i) => `_${i}`).join();
  const library =
    name === 'startup' ? `${imports}globalThis.__libraries=[${all}].filter(Boolean);` : undefined;
  return buildExample(name, folder, { from: FROM, inputs: INPUTS, library });
}
