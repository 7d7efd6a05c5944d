import { addDeclaredNames } from '../syntax/syntax.js';
import { walker } from '../syntax/walk.js';

/**
 * How a script's prelude can say what it needs of the realm: a script may have an `Error` or even a `globalThis` of its own.
 *
 * @typedef {import('../syntax/parse.js').Node} Node
 * @typedef {{globalThis: string, Error: string, Int8Array: string, Int32Array: string, SharedArrayBuffer: string}} RealmNames expressions
 */

const NEEDED = /\b(?:globalThis|Error|Int8Array|Int32Array|SharedArrayBuffer)\b/;

/** Of a script that declares none of them. @type {RealmNames} */
export const PLAIN_NAMES = {
  globalThis: 'globalThis',
  Error: 'Error',
  Int8Array: 'Int8Array',
  Int32Array: 'Int32Array',
  SharedArrayBuffer: 'SharedArrayBuffer',
};

/** Without the name `globalThis`: pages and workers have `self`, Node has `global`. */
const FALLBACK = '(typeof self=="object"?self:global)';

/**
 * @param {Node} program
 * @param {string} code
 * @returns {RealmNames | null} null: the script hides the realm from itself, or replaces what the prelude needs of it
 */
export function realmNames(program, code) {
  /** @type {Set<string>} */
  const own = new Set();
  // Most scripts use one of these names, few declare one.
  if (!NEEDED.test(code)) return PLAIN_NAMES;
  if (program.sourceType === 'script' && program.body.some(replacesNeeded)) return null;
  for (const statement of program.body) findDeclared(own, statement, program);
  if (own.has('globalThis') && (own.has('self') || own.has('global'))) return null;
  const realm = own.has('globalThis') ? FALLBACK : 'globalThis';
  const expression = (/** @type {string} */ name) => (own.has(name) ? `${realm}.${name}` : name);
  return {
    globalThis: realm,
    Error: expression('Error'),
    Int8Array: expression('Int8Array'),
    Int32Array: expression('Int32Array'),
    SharedArrayBuffer: expression('SharedArrayBuffer'),
  };
}

/** A function of a classic script is the global's in its place before anything runs. @param {Node} statement */
function replacesNeeded({ type, id }) {
  return type === 'FunctionDeclaration' && Object.hasOwn(PLAIN_NAMES, id.name);
}

const isElsewhere = () => {};

/** Names declared outside of functions. Those of blocks count, too: a `var` there is the script's. */
const findDeclared = walker(
  { VariableDeclaration: addDeclaredNames, ImportDeclaration: addDeclaredNames },
  {
    FunctionDeclaration: addDeclaredNames,
    ClassDeclaration: addDeclaredNames,
    FunctionExpression: isElsewhere,
    ArrowFunctionExpression: isElsewhere,
    ObjectMethod: isElsewhere,
    ClassExpression: isElsewhere,
  },
);
