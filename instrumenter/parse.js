import { parse } from './babel_parser.js';
import { SourceError } from './source_error.js';

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
  const outsideFunction = sourceType === 'commonjs' || sourceType === 'unambiguous';
  try {
    return /** @type {any} */ (
      parse(code, {
        sourceType: sourceType === 'commonjs' ? 'script' : sourceType,
        allowReturnOutsideFunction: outsideFunction,
        allowNewTargetOutsideFunction: outsideFunction,
        allowUndeclaredExports: true,
        // Half of the parser's memory on big files. Comments are still listed in `comments`.
        attachComment: false,
        plugins: /** @type {any} */ ([['decorators', { version: '2023-11' }], ...PLUGINS]),
      })
    );
  } catch (error) {
    const { loc, message, missingPlugin } = /** @type {any} */ (error);
    if (!loc) throw error;
    const text = String(message).replace(/ \(\d+:\d+\)$/, '');
    throw new SourceError(missingPlugin ? adviceFor(missingPlugin, text) : text, {
      file,
      line: loc.line + line - 1,
      column: loc.column + (loc.line === 1 ? column : 1),
      code: page ?? code,
    });
  }
}

const LANGUAGES = /** @type {Record<string, string>} */ ({
  jsx: 'JSX',
  flow: 'Flow',
  typescript: 'TypeScript',
});

/** The parser would have us switch on one of its plugins, of which users know nothing. @param {string[]} plugins @param {string} text */
function adviceFor(plugins, text) {
  const languages = plugins.flatMap((plugin) => LANGUAGES[plugin] ?? []);
  if (languages.length === 0)
    return `${text.replace(/,? requires enabling.*/s, '')}, which browsers do not know: compile it first`;
  return `this is ${languages.join(' or ')}: instrument what the compiler makes of it`;
}
