import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from '@babel/parser';
import { ALIAS_KEYS, getBindingIdentifiers, VISITOR_KEYS } from '@babel/types';
import { addDeclaredNames, CHILD_KEYS } from '../../instrumenter/syntax/syntax.js';

/** What only Flow and TypeScript have in nodes of JavaScript, and what Babel itself no longer makes. */
const OF_OTHERS =
  /^(type(Annotation|Arguments|Parameters)|returnType|predicate|variance|mixins|implements|superTypeParameters|assertions)$/;

/** Proposals that no browser knows: the parser is not told of them. */
const PROPOSALS = new Set([
  'ArgumentPlaceholder',
  'BindExpression',
  'DecimalLiteral',
  'DoExpression',
  'ExportDefaultSpecifier',
  'ModuleExpression',
  'PipelineBareFunction',
  'PipelinePrimaryTopicReference',
  'PipelineTopicExpression',
  'RecordExpression',
  'TopicReference',
  'TupleExpression',
  'VoidPattern',
]);

const ALIASES = /** @type {Record<string, string[] | undefined>} */ (ALIAS_KEYS);

const isJavaScript = (/** @type {string} */ type) =>
  !PROPOSALS.has(type) &&
  !ALIASES[type]?.some((alias) => /^(Flow|TypeScript|JSX|Miscellaneous)$/.test(alias));

test('nodes have the children that Babel says, in its order', () => {
  const theirs = Object.entries(VISITOR_KEYS)
    .filter(([type]) => isJavaScript(type))
    .map(([type, keys]) => [type, keys.filter((key) => !OF_OTHERS.test(key))]);
  assert.deepEqual(CHILD_KEYS, Object.fromEntries(theirs));
});

for (const code of [
  'const { a, b: c, d: { e = 1 }, ...f } = {}, [g, , [h], ...i] = [], j = k;',
  'import a, { b as c, d } from "x"; import * as e from "y";',
  'function f(a, { b = c } = d, ...[e]) {}',
  'class A extends B {}',
  'for (var { a } of b) ;',
]) {
  test(`the names that are declared are those that Babel says: ${code}`, () => {
    for (const node of parse(code, { sourceType: 'module' }).program.body) {
      /** @type {Set<string>} */
      const names = new Set();
      const declaration = node.type === 'ForOfStatement' ? node.left : node;
      addDeclaredNames(names, declaration);
      assert.deepEqual(
        [...names].sort(),
        Object.keys(getBindingIdentifiers(declaration, false, true)).sort(),
      );
      if (node.type !== 'FunctionDeclaration') continue;
      const ofParameters = new Set();
      addDeclaredNames(ofParameters, node.params);
      assert.deepEqual([...ofParameters], ['a', 'b', 'e']);
    }
  });
}
