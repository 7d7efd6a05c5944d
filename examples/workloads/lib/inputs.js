import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, posix, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * What the workloads work on: files of the packages that are installed anyway. Files are taken in the order of their paths, so that
 * one `package-lock.json` means one input.
 */

const require = createRequire(import.meta.url);
const NODE_MODULES = fileURLToPath(new URL('../../../node_modules/', import.meta.url));

/** Markdown files larger than this are lists of licences and the like. */
const LONGEST_MARKDOWN = 100_000;

/** @type {Record<string, () => unknown>} JSON value by workload */
export const INPUTS = {
  typescript: typescriptInput,
  planck: () => null,
  marked: markedInput,
  preact: preactInput,
};

/** @returns {import('../typescript.js').Input} */
function typescriptInput() {
  // Real TypeScript of thousands of lines that needs no other package, and has no error.
  const folders = [
    'zod/src/v4/core',
    'zod/src/v4/classic',
    'zod/src/v4/mini',
    'zod/src/v4/locales',
    'zod/src/v3',
  ];
  /** @type {Record<string, string>} */
  const sources = {};
  for (const folder of folders) {
    for (const path of filesBelow(join(NODE_MODULES, folder), /(?<!\.test)\.ts$/)) {
      if (!/\/(tests|benchmarks)\//.test(path)) sources[`/${path}`] = readText(path);
    }
  }
  return {
    libraries: compilerLibraries(['lib.es2020.d.ts', 'lib.dom.d.ts']),
    sources,
    roots: Object.keys(sources),
  };
}

/** The compiler's own declaration files, with those they refer to. @param {string[]} names */
function compilerLibraries(names) {
  const folder = dirname(require.resolve('typescript'));
  /** @type {Record<string, string>} */
  const libraries = {};
  const wanted = [...names];
  for (let name = wanted.pop(); name !== undefined; name = wanted.pop()) {
    if (name in libraries) continue;
    libraries[name] = readFileSync(join(folder, name), 'utf8');
    for (const [, reference] of libraries[name].matchAll(/^\/\/\/ <reference lib="(.+?)"/gm)) {
      wanted.push(`lib.${reference}.d.ts`);
    }
  }
  return libraries;
}

/** @returns {import('../marked.js').Input} */
function markedInput() {
  const paths = filesBelow(NODE_MODULES, /^(readme|changelog|changes|history)\.md$/i);
  const texts = paths.map((path) => [path, readText(path)]);
  return Object.fromEntries(texts.filter(([, text]) => text.length <= LONGEST_MARKDOWN));
}

/** @returns {import('../preact.js').Input} */
function preactInput() {
  /** @type {Map<string, import('../preact.js').Package>} by name: some packages are installed twice */
  const packages = new Map();
  for (const path of filesBelow(NODE_MODULES, /^package\.json$/)) {
    const { name, version, license, description = '' } = JSON.parse(readText(path));
    if (typeof name !== 'string' || typeof version !== 'string') continue;
    const { size } = statSync(join(NODE_MODULES, path));
    packages.set(name, { name, version, license: String(license ?? 'unknown'), description, size });
  }
  return [...packages.values()];
}

/**
 * @param {string} folder
 * @param {RegExp} pattern of the file's name
 * @returns {string[]} paths below node_modules, with slashes, sorted
 */
function filesBelow(folder, pattern) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && pattern.test(entry.name))
    .map((entry) => relative(NODE_MODULES, join(entry.parentPath, entry.name)).replaceAll(sep, posix.sep))
    .sort();
}

/** @param {string} path below node_modules */
function readText(path) {
  return readFileSync(join(NODE_MODULES, path), 'utf8');
}
