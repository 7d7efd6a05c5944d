import ts from 'typescript';
import { Digest } from './lib/digest.js';

/**
 * The TypeScript compiler checks and emits the sources of other packages: deep recursion, thousands of functions, big hash maps.
 *
 * @typedef {object} Input
 * @property {Record<string, string>} libraries text of the compiler's lib.*.d.ts files, by name
 * @property {Record<string, string>} sources text by absolute path, with everything the roots import
 * @property {string[]} roots which of them to check and emit
 */

const LIBRARY_FOLDER = '/lib/';

/** @type {ts.CompilerOptions} */
const OPTIONS = {
  target: ts.ScriptTarget.ES2020,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  lib: ['lib.es2020.d.ts', 'lib.dom.d.ts'],
  strict: true,
  declaration: true,
  sourceMap: true,
  types: [],
  newLine: ts.NewLineKind.LineFeed,
};

/**
 * @param {Input} input
 * @param {number} scale share of the roots to check and emit; the rest is parsed all the same. More than 1: again, from scratch
 * @returns {string} digest of what was emitted and diagnosed
 */
export function run(input, scale) {
  const digest = new Digest();
  for (let left = scale; left > 0; left--) compile(input, Math.min(left, 1), digest);
  return String(digest);
}

/** @param {Input} input @param {number} share @param {Digest} digest */
function compile(input, share, digest) {
  const program = ts.createProgram(input.roots, OPTIONS, memoryHost(input));
  const count = Math.ceil(input.roots.length * share);
  for (const root of input.roots.slice(0, count)) {
    const file = program.getSourceFile(root);
    for (const diagnostic of program.getSemanticDiagnostics(file)) {
      digest.add(
        `${root}:${diagnostic.start} ${ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n')}`,
      );
    }
    program.emit(file, (path, text) => {
      digest.add(path);
      digest.add(text);
    });
  }
}

/** @param {Input} input @returns {ts.CompilerHost} a file system that is only what the input holds */
function memoryHost({ libraries, sources }) {
  const files = new Map(Object.entries(sources));
  for (const [name, text] of Object.entries(libraries)) files.set(LIBRARY_FOLDER + name, text);
  const folders = new Set(['/']);
  for (const path of files.keys()) {
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      folders.add(path.slice(0, end));
    }
  }
  return {
    fileExists: (path) => files.has(path),
    readFile: (path) => files.get(path),
    directoryExists: (path) => folders.has(path.replace(/(.)\/$/, '$1')),
    getDirectories: () => [],
    getSourceFile(path, languageVersion) {
      const text = files.get(path);
      return text === undefined ? undefined : ts.createSourceFile(path, text, languageVersion);
    },
    getDefaultLibFileName: () => `${LIBRARY_FOLDER}lib.es2020.d.ts`,
    getDefaultLibLocation: () => LIBRARY_FOLDER,
    getCurrentDirectory: () => '/',
    getCanonicalFileName: (path) => path,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => '\n',
    writeFile() {
      throw new Error('every emit has a writer of its own');
    },
  };
}
