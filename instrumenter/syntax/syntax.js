/**
 * What the nodes of @babel/parser's syntax trees consist of, in the order of the text. `@babel/types` says it, too, but every build would wait
 * while it loads; a test compares.
 *
 * @typedef {import('./parse.js').Node} Node
 */

const FUNCTION = ['params', 'body'];
const NAMED_FUNCTION = ['id', ...FUNCTION];
const METHOD = ['decorators', 'key', ...FUNCTION];
const CLASS = ['decorators', 'id', 'superClass', 'body'];
const FIELD = ['decorators', 'key', 'value'];
const CALL = ['callee', 'arguments'];
const MEMBER = ['object', 'property'];
const OPERANDS = ['left', 'right'];
const CHOICE = ['test', 'consequent', 'alternate'];
const NOTHING = /** @type {string[]} */ ([]);

/** @type {Readonly<Record<string, readonly string[]>>} the properties that hold children, by type of node: all that browsers know */
export const CHILD_KEYS = {
  ArrayExpression: ['elements'],
  ArrayPattern: ['elements'],
  ArrowFunctionExpression: FUNCTION,
  AssignmentExpression: OPERANDS,
  AssignmentPattern: [...OPERANDS, 'decorators'],
  AwaitExpression: ['argument'],
  BigIntLiteral: NOTHING,
  BinaryExpression: OPERANDS,
  BlockStatement: ['directives', 'body'],
  BooleanLiteral: NOTHING,
  BreakStatement: ['label'],
  CallExpression: CALL,
  CatchClause: ['param', 'body'],
  ClassAccessorProperty: FIELD,
  ClassBody: ['body'],
  ClassDeclaration: CLASS,
  ClassExpression: CLASS,
  ClassMethod: METHOD,
  ClassPrivateMethod: METHOD,
  ClassPrivateProperty: FIELD,
  ClassProperty: FIELD,
  ConditionalExpression: CHOICE,
  ContinueStatement: ['label'],
  DebuggerStatement: NOTHING,
  Decorator: ['expression'],
  Directive: ['value'],
  DirectiveLiteral: NOTHING,
  DoWhileStatement: ['body', 'test'],
  EmptyStatement: NOTHING,
  ExportAllDeclaration: ['source', 'attributes'],
  ExportDefaultDeclaration: ['declaration'],
  ExportNamedDeclaration: ['declaration', 'specifiers', 'source', 'attributes'],
  ExportNamespaceSpecifier: ['exported'],
  ExportSpecifier: ['local', 'exported'],
  ExpressionStatement: ['expression'],
  File: ['program'],
  ForInStatement: ['left', 'right', 'body'],
  ForOfStatement: ['left', 'right', 'body'],
  ForStatement: ['init', 'test', 'update', 'body'],
  FunctionDeclaration: NAMED_FUNCTION,
  FunctionExpression: NAMED_FUNCTION,
  Identifier: ['decorators'],
  IfStatement: CHOICE,
  Import: NOTHING,
  ImportAttribute: ['key', 'value'],
  ImportDeclaration: ['specifiers', 'source', 'attributes'],
  ImportDefaultSpecifier: ['local'],
  ImportExpression: ['source', 'options'],
  ImportNamespaceSpecifier: ['local'],
  ImportSpecifier: ['imported', 'local'],
  InterpreterDirective: NOTHING,
  LabeledStatement: ['label', 'body'],
  LogicalExpression: OPERANDS,
  MemberExpression: MEMBER,
  MetaProperty: ['meta', 'property'],
  NewExpression: CALL,
  NullLiteral: NOTHING,
  NumericLiteral: NOTHING,
  ObjectExpression: ['properties'],
  ObjectMethod: METHOD,
  ObjectPattern: ['decorators', 'properties'],
  ObjectProperty: FIELD,
  OptionalCallExpression: CALL,
  OptionalMemberExpression: MEMBER,
  ParenthesizedExpression: ['expression'],
  PrivateName: ['id'],
  Program: ['directives', 'body'],
  RegExpLiteral: NOTHING,
  RestElement: ['argument'],
  ReturnStatement: ['argument'],
  SequenceExpression: ['expressions'],
  SpreadElement: ['argument'],
  StaticBlock: ['body'],
  StringLiteral: NOTHING,
  Super: NOTHING,
  SwitchCase: ['test', 'consequent'],
  SwitchStatement: ['discriminant', 'cases'],
  TaggedTemplateExpression: ['tag', 'quasi'],
  TemplateElement: NOTHING,
  TemplateLiteral: ['quasis', 'expressions'],
  ThisExpression: NOTHING,
  ThrowStatement: ['argument'],
  TryStatement: ['block', 'handler', 'finalizer'],
  UnaryExpression: ['argument'],
  UpdateExpression: ['argument'],
  VariableDeclaration: ['declarations'],
  VariableDeclarator: ['id', 'init'],
  WhileStatement: ['test', 'body'],
  WithStatement: ['object', 'body'],
  YieldExpression: ['argument'],
};

/** @param {Node} node @returns {Node[]} without the holes of arrays */
export function childrenOf(node) {
  return CHILD_KEYS[node.type].flatMap((key) => node[key] ?? []).filter(Boolean);
}

/** @param {Node} node @param {Node} around @returns {boolean} it stands in it, or is it */
export const isInside = (node, around) => around.start <= node.start && node.end <= around.end;

/** @param {Node} around @returns {Generator<Node, void>} it and all that stands in it, in any order */
export function* nodesInside(around) {
  const waiting = [around];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    yield node;
    for (const child of childrenOf(node)) waiting.push(child);
  }
}

/** @param {Node} around @param {(node: Node) => boolean} isIt @returns {boolean} what stands in it, or it itself, is such a node */
export function hasInside(around, isIt) {
  for (const node of nodesInside(around)) if (isIt(node)) return true;
  return false;
}

/** The properties of patterns and declarations that hold the names they declare, or patterns of them. */
const DECLARING_KEYS = /** @type {Readonly<Record<string, string>>} */ ({
  ArrayPattern: 'elements',
  AssignmentPattern: 'left',
  ClassDeclaration: 'id',
  FunctionDeclaration: 'id',
  ImportDeclaration: 'specifiers',
  ImportDefaultSpecifier: 'local',
  ImportNamespaceSpecifier: 'local',
  ImportSpecifier: 'local',
  ObjectPattern: 'properties',
  ObjectProperty: 'value',
  RestElement: 'argument',
  VariableDeclaration: 'declarations',
  VariableDeclarator: 'id',
});

/** @param {Set<string>} names that get what is declared by @param {Node | Node[] | null | undefined} node a pattern, a declaration, or parts of one */
export function addDeclaredNames(names, node) {
  if (!node) return;
  if (Array.isArray(node)) for (const part of node) addDeclaredNames(names, part);
  else if (node.type === 'Identifier') names.add(node.name);
  else addDeclaredNames(names, node[DECLARING_KEYS[node.type]]);
}

/** @param {Node} expression @returns {Node} f, of `cache[0] || (cache[0] = f)` and `cache[0] ||= f`, as code that Vue made keeps handlers */
export function keptValue(expression) {
  const { type, operator, right } = expression;
  const isKept = (type === 'LogicalExpression' && operator === '||') || type === 'AssignmentExpression';
  return isKept ? keptValue(right) : expression;
}
