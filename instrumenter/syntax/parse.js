import { parse } from './babel_parser.js';
import { SourceError } from '../source_error.js';

/**
 * @typedef {'unambiguous' | 'module' | 'script' | 'commonjs'} SourceType unambiguous: a module if it has imports, exports
 *   or an await at its top level
 * @typedef {any} Node of @babel/parser's syntax tree; offsets `start` and `end` count UTF-16 code units from 0
 */

/** What finished code may hold beyond the parser's defaults. Types and JSX are compiled away before we see a script. */
const PLUGINS = [
  'explicitResourceManagement',
  'decoratorAutoAccessors',
  'deferredImportEvaluation',
  'sourcePhaseImports',
];

/**
 * @param {string} code
 * @param {{file: string, sourceType: SourceType, line?: number, column?: number, page?: string}} options for error messages: `line`
 *   and `column` (1-based), where the code starts in the file, and `page`, the whole file if the code is a part of it
 * @returns {{program: Node, comments: Node[]}}
 * @throws {SourceError}
 */
export function parseScript(code, { file, sourceType, line = 1, column = 1, page }) {
  try {
    return parseAs(sourceType, code);
  } catch (error) {
    const furthest = sourceType === 'unambiguous' ? furthestError(code, error) : error;
    const { loc } = /** @type {any} */ (furthest);
    if (!loc) throw error;
    throw new SourceError(messageOf(furthest, code), {
      file,
      line: loc.line + line - 1,
      column: loc.column + (loc.line === 1 ? column : 1),
      code: page ?? code,
    });
  }
}

/** @param {SourceType} sourceType @param {string} code @param {string[]} [languages] that it may be of beside JavaScript */
function parseAs(sourceType, code, languages = []) {
  const outsideFunction = sourceType === 'commonjs' || sourceType === 'unambiguous';
  return /** @type {any} */ (
    parse(code, {
      sourceType: sourceType === 'commonjs' ? 'script' : sourceType,
      allowReturnOutsideFunction: outsideFunction,
      allowNewTargetOutsideFunction: outsideFunction,
      allowUndeclaredExports: true,
      // Half of the parser's memory on big files. Comments are still listed in `comments`.
      attachComment: false,
      plugins: /** @type {any} */ ([['decorators', { version: '2023-11' }], ...PLUGINS, ...languages]),
    })
  );
}

/**
 * Of code that is neither a module nor a script the parser tells why it is no module, which may be its first `with`.
 * @param {string} code
 * @param {any} moduleError
 */
function furthestError(code, moduleError) {
  const scriptError = errorOf(() => parseAs('commonjs', code));
  if (ONLY_OF_SCRIPTS.test(scriptError?.reasonCode)) return moduleError;
  return scriptError?.loc?.index > moduleError.loc?.index ? scriptError : moduleError;
}

/** Errors of what is a module. */
const ONLY_OF_SCRIPTS = /^(ImportOutsideModule|ImportMetaOutsideModule|AwaitNotInAsyncContext)$/;

/** @param {() => unknown} work @returns {any} what it throws; null: nothing */
function errorOf(work) {
  try {
    work();
    return null;
  } catch (error) {
    return error;
  }
}

const LANGUAGES = /** @type {Record<string, string>} */ ({
  jsx: 'JSX',
  flow: 'Flow',
  typescript: 'TypeScript',
});

/** The parser would have us switch on its plugins, of which users know nothing. @param {any} error @param {string} code @returns {string} */
function messageOf({ message, missingPlugin = [] }, code) {
  const languages = missingPlugin.flatMap((/** @type {string} */ plugin) => LANGUAGES[plugin] ?? []);
  if (languages.length > 0)
    return `this is ${languages.join(' or ')}: instrument what the compiler makes of it`;
  if (missingPlugin.length > 0)
    return 'this is experimental syntax, which browsers do not know: compile it first';
  const plain = message.replace(/ \(\d+:\d+\)$/, '').replace(/ You can enable .*/s, '');
  return isTypeScript(code)
    ? `${plain} If this is TypeScript, instrument what the compiler makes of it.`
    : plain;
}

/** @param {string} code that is no JavaScript */
function isTypeScript(code) {
  const dialects = [['typescript'], ['typescript', 'jsx']];
  return dialects.some((languages) => !errorOf(() => parseAs('unambiguous', code, languages)));
}
