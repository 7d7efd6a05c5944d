import { listReader, listsIn, prototypesOf } from './cloned_functions.js';
import { callsOf, declarationAt, parameterAt } from '../syntax/declarations.js';
import { modulesAround } from './bundled_modules.js';
import { isInside } from '../syntax/syntax.js';
import { IS_FUNCTION, IS_MEMBER, textTakenBy } from './taken_texts.js';

/**
 * Functions whose text is taken, to run it in a worker or elsewhere: there the probes would find nothing that they need.
 *
 * @typedef {import('../syntax/parse.js').Node} Node
 * @typedef {import('./function_record.js').FunctionRecord} FunctionRecord
 * @typedef {object} Texts of a script
 * @property {Node[]} taken what is turned into text, if it is a function
 * @property {Node[]} parameters of these, of the function that takes their text alone
 * @property {Node[]} ofTables members that stand behind their names, as modules of a bundle
 * @property {Node[]} assigned where a member may become a function: assignments
 * @typedef {{program: Node, members: Map<string, Node[]>}} Script `members`: what is assigned, by `object.member`
 * @typedef {{name: string, offset: number}} TextWarning `offset`: of the place where the text is taken
 */

const OBSTACLE = 'turned into text';

/** How often a name is looked up in what another one stands for. */
const MAX_DEPTH = 4;

/** So many calls are looked at for what they give to one function. */
const MOST_CALLS = 100;

/**
 * Gives the functions an obstacle.
 * @param {Texts} texts
 * @param {Node} program
 * @param {FunctionRecord[]} records
 * @returns {TextWarning[]} one for each function that was written as such
 */
export function markTurnedIntoText({ taken, parameters, ofTables, assigned }, program, records) {
  const script = { program, members: membersOf(assigned) };
  /** @type {Map<Node, TextWarning>} */
  const warnings = new Map();
  const mark = (/** @type {Node} */ fn) => {
    const inside = records.filter(({ kind, node }) => kind !== 'top' && isInside(node, fn));
    for (const record of inside) record.obstacle ??= OBSTACLE;
    return inside;
  };
  for (const expression of taken) {
    // What `textsMadeBy` found. Elsewhere it may be any text.
    const isCode = expression.type === 'ArrayExpression';
    for (const fn of functionsIn(expression, script, MAX_DEPTH, isCode)) {
      if (warnings.has(fn)) continue;
      const inside = mark(fn);
      const name = fn.id?.name ?? inside[0]?.name.text ?? '';
      if (inside.length > 0) warnings.set(fn, { name, offset: expression.start });
    }
  }
  for (const member of ofTables) {
    const modules = modulesAround(program, member);
    modules.forEach(mark);
    if (modules.length > 0) warnings.set(member, { name: '', offset: member.start });
  }
  for (const parameter of parameters) {
    const reader = listReader(parameter, program);
    const scope = records.find(({ node }) => node === reader)?.parent?.node;
    if (!scope) continue;
    const isHere = (/** @type {Node} */ node) => isInside(node, scope);
    const listed = functionsListed(listsIn(scope, records), script, assigned.filter(isHere));
    if (listed.length === 0) continue;
    listed.forEach(mark);
    // What such a worker is to do comes by parameters, too.
    functionsIn({ type: 'ArrayExpression', elements: taken.filter(isHere) }, script, MAX_DEPTH, true).forEach(
      mark,
    );
    warnings.set(parameter, { name: '', offset: parameter.start });
  }
  return [...warnings.values()];
}

/** @param {Node[]} assigned @returns {Script['members']} */
function membersOf(assigned) {
  /** @type {Script['members']} */
  const members = new Map();
  for (const { left, right } of assigned) {
    if (left.object.type !== 'Identifier') continue;
    const name = `${left.object.name}.${left.property.name}`;
    const values = members.get(name);
    if (values) values.push(right);
    else members.set(name, [right]);
  }
  return members;
}

/**
 * @param {ReturnType<typeof listsIn>} lists
 * @param {Script} script
 * @param {Node[]} assigned near the lists
 * @returns {Node[]} with the lists themselves, whose text has to stay what it is
 */
function functionsListed(lists, script, assigned) {
  const names = lists.flatMap(({ names }) => names);
  const found = [
    ...lists.map(({ fn }) => fn),
    ...prototypesOf(new Set(names.map(({ name }) => name)), assigned),
  ];
  for (const name of names) {
    found.push(...functionsIn(name, script, MAX_DEPTH));
    const declared = declarationAt(script.program, name.name, name.start);
    // A class, as older compilers write it.
    if (declared?.type === 'CallExpression' && IS_FUNCTION.test(declared.callee.type))
      found.push(declared.callee);
  }
  return found;
}

/**
 * @param {Node} expression
 * @param {Script} script
 * @param {number} depth names to look up
 * @param {boolean} [isCode] the expression is made into code: parameters in it are functions that calls of the one around give
 * @returns {Node[]} functions and classes whose text is in that of the expression
 */
function functionsIn(expression, script, depth, isCode = false) {
  /** @type {Set<Node>} */
  const found = new Set();
  const waiting = [expression];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (IS_FUNCTION.test(node.type)) {
      found.add(node);
      continue;
    }
    const parts = partsOf(node);
    if (parts) for (const part of parts) waiting.push(part);
    else if (depth > 0) for (const fn of functionsBy(node, script, depth, isCode)) found.add(fn);
  }
  return [...found];
}

/** @param {Node} node @returns {Node[] | undefined} what its text is made of, or is; undefined: it is not made of others */
function partsOf(node) {
  switch (node.type) {
    case 'TemplateLiteral':
      return node.expressions;
    case 'ArrayExpression':
      return node.elements.filter(Boolean);
    case 'BinaryExpression':
      return node.operator === '+' ? [node.left, node.right] : undefined;
    case 'LogicalExpression':
      return [node.left, node.right];
    case 'ConditionalExpression':
      return [node.consequent, node.alternate];
    case 'SequenceExpression':
      return node.expressions.slice(-1);
    case 'CallExpression':
    case 'OptionalCallExpression': {
      const taken = textTakenBy(node);
      if (taken) return [taken];
      const isJoined = /^(join|concat)$/.test(node.callee.property?.name ?? '');
      return isJoined ? [node.callee.object, ...node.arguments] : undefined;
    }
  }
}

/** @param {Node} node `f`, `object.f` @param {Script} script @param {number} depth @param {boolean} isCode as of `functionsIn` @returns {Node[]} functions that it may be */
function functionsBy(node, script, depth, isCode) {
  if (IS_MEMBER.test(node.type) && !node.computed && node.object.type === 'Identifier') {
    return membersBy(node, script).flatMap((member) => functionsIn(member, script, depth - 1));
  }
  if (node.type !== 'Identifier') return [];
  const declared = declarationAt(script.program, node.name, node.start);
  if (declared) return functionsIn(declared, script, depth - 1, isCode);
  return isCode ? givenAs(node, script, depth - 1) : [];
}

/** @param {Node} node `object.member`, of a name @param {Script} script @returns {Node[]} what it may be */
function membersBy({ object: { name }, property, start }, { program, members: assigned }) {
  const object = declarationAt(program, name, start);
  const members = object?.properties ?? (/^Class/.test(object?.type) ? object?.body.body : undefined);
  const written = members?.find(
    (/** @type {Node} */ { key, computed }) => !computed && key?.name === property.name,
  );
  if (written) return [written.value ?? written];
  const hasMembers = members || (object && IS_FUNCTION.test(object.type));
  return (hasMembers && assigned.get(`${name}.${property.name}`)) || [];
}

/** @param {Node} name of a parameter @param {Script} script @param {number} depth as above @returns {Node[]} functions that are given for it by calls */
function givenAs(name, script, depth) {
  const { program } = script;
  const parameter = parameterAt(program, name.name, name.start);
  if (!parameter) return [];
  const { of, called, index } = parameter;
  const given = callsOf(program, called).filter((call) => call.arguments[index]);
  // Of a name that short, in minified code, there are many.
  if (given.length > MOST_CALLS) return [];
  return given
    .filter((call) => declarationAt(program, called, call.start) === of)
    .flatMap((call) => functionsIn(call.arguments[index], script, depth, depth > 0));
}
