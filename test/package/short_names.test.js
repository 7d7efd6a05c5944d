import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import ts from 'typescript';
import { SHORT_NAMES } from '../../scripts/lib/short_names.js';

/** Names that the build shortens must mean something to the polyfill only. */

const LIBRARY = fileURLToPath(new URL('.', import.meta.resolve('typescript')));
const TYPES = fileURLToPath(new URL('../../types/', import.meta.url));

/** @param {string} file of declarations @returns {Set<string>} the names in it */
function namesIn(file) {
  /** @type {Set<string>} */
  const names = new Set();
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (ts.isIdentifier(node)) names.add(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest));
  return names;
}

test('no name that the build shortens is one of the platform or of the public interface', () => {
  const declarations = [
    ...readdirSync(LIBRARY)
      .filter((name) => /^lib\.(es|dom|webworker).*\.d\.ts$/.test(name))
      .map((name) => LIBRARY + name),
    ...readdirSync(TYPES).map((name) => TYPES + name),
  ];
  const known = new Set(declarations.flatMap((file) => [...namesIn(file)]));
  assert.ok(known.has('crossOriginIsolated') && known.has('sampleInterval'));
  assert.deepEqual(
    [...SHORT_NAMES.keys()].filter((name) => known.has(name)),
    [],
  );
});

test('no two names are shortened to the same one', () => {
  assert.equal(new Set(SHORT_NAMES.values()).size, SHORT_NAMES.size);
});
