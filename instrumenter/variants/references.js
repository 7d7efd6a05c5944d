import { TWIN_OF_NAME } from './twin_name.js';
import { walker } from '../syntax/walk.js';

/**
 * Where a script names other scripts of its build, so that twins load twins: sources of imports and exports, `import()`,
 * `new URL(name, import.meta.url)`, the list of what Vite loads in advance, and the function that makes webpack's names of chunks.
 *
 * @typedef {import('../syntax/parse.js').Node} Node
 * @typedef {object} References
 * @property {(reference: string) => string | null} rename null: it stays
 * @property {boolean} [namesChunks] the script has the function that makes webpack's names of chunks
 * @property {boolean} [warns] of imports whose names are made at run time
 */

/** @typedef {{names: Node[], chunkNames: Node[], computed: Node[], code: string}} Found */

/**
 * @param {Node} program
 * @param {string} code
 * @param {References} references
 * @param {import('../text/edits.js').Edits} edits
 * @returns {{offset: number}[]} places that name a script in a way that cannot be seen
 * @throws {Error} if webpack's function is not found
 */
export function placeReferences(program, code, { rename, namesChunks = false, warns = false }, edits) {
  /** @type {Found} */
  const found = { names: [], chunkNames: [], computed: [], code };
  find(found, program, program);
  for (const literal of found.names) {
    const name = rename(textOf(literal) ?? '');
    if (name !== null) edits.replace(literal.start, literal.end, 0, JSON.stringify(name));
  }
  if (namesChunks) {
    if (found.chunkNames.length !== 1) {
      throw new Error(
        `polyprof: variants: webpack's function for names of chunks was found ${found.chunkNames.length} times: set output.filename and output.chunkFilename to names that end in .js`,
      );
    }
    const [{ right }] = found.chunkNames;
    edits.before(right.start, 0, `${TWIN_OF_NAME}(`);
    edits.after(right.end, 0, ')');
  }
  return warns ? found.computed.map(({ start }) => ({ offset: start })) : [];
}

/** @param {Node} node @returns {string | null} of a text that is known; minifiers write it in backquotes, too */
function textOf(node) {
  if (node.type === 'StringLiteral') return node.value;
  return node.type === 'TemplateLiteral' && node.expressions.length === 0
    ? node.quasis[0].value.cooked
    : null;
}

/** Others are names of an import map, which go on meaning what it says, though a file may be called the same. */
const ADDRESS = /^(\.{0,2}\/|[a-z][a-z\d+.-]*:)/i;

/** @param {Found} found @param {Node | null | undefined} node what is imported */
function noteSpecifier(found, node) {
  if (!node) return;
  const text = textOf(node);
  if (text === null) found.computed.push(node);
  else if (ADDRESS.test(text)) found.names.push(node);
}

/** @param {Found} found @param {Node} node */
const noteSource = (found, node) => noteSpecifier(found, node.source);

/** @param {Node} node */
const isOwnAddress = (node) =>
  node?.type === 'MemberExpression' && node.object.type === 'MetaProperty' && node.property.name === 'url';

/** `n.u=e=>e+"-1a2b.js"` in webpack's runtime, which has also the functions `e` or `f` for loading. @param {Found} found @param {Node} node */
function noteChunkNames(found, node) {
  const { left, right } = node;
  const isNaming =
    left.type === 'MemberExpression' && !left.computed && left.property.name === 'u' && left.object.name;
  if (!isNaming || !/^(Arrow)?FunctionExpression$/.test(right.type) || right.params.length !== 1) return;
  const text = found.code.slice(right.start, right.end);
  const loads = new RegExp(`(?<![\\w$])${left.object.name.replaceAll('$', '\\$')}\\.[ef] ?=[^=]`);
  if (/\.[cm]?js(\?[^"'`]*)?["'`]/.test(text) && loads.test(found.code)) found.chunkNames.push(node);
}

/** @type {(list: Node[], node: Node, parent: Node) => void} */
const findTexts = walker(
  {
    StringLiteral: (list, node) => void list.push(node),
    TemplateLiteral: (list, node) => void (textOf(node) !== null && list.push(node)),
  },
  {},
);

/** @type {(found: Found, node: Node, parent: Node) => void} */
const find = walker(
  {
    ImportDeclaration: noteSource,
    ExportNamedDeclaration: noteSource,
    ExportAllDeclaration: noteSource,
    ImportExpression: noteSource,
    CallExpression(found, node) {
      if (node.callee.type === 'Import') noteSpecifier(found, node.arguments[0]);
    },
    NewExpression(found, { callee, arguments: [name, base] }) {
      if (callee.name === 'URL' && isOwnAddress(base) && textOf(name) !== null) found.names.push(name);
    },
    VariableDeclarator(found, node) {
      if (node.id.name === '__vite__mapDeps' && node.init) findTexts(found.names, node.init, node);
    },
    AssignmentExpression: noteChunkNames,
  },
  {},
);
