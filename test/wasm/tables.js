import fc from 'fast-check';
import { functionName } from './stack_texts.js';

/** @typedef {import('../../instrumenter/tables/function_table.js').TableFunction} TableFunction */

const ORIGIN = fc.option(
  fc.record({
    source: fc.constantFrom('src/a.ts', 'src/b.ts'),
    line: fc.integer({ min: 1, max: 500 }),
    column: fc.integer({ min: 1, max: 500 }),
    name: functionName,
  }),
);

/** @typedef {{before: Step, head: Step | null, key: Tree[], after: Step, name: string, flags: number, origin: any, inner: Tree[]}} Tree */
/** @typedef {{lines: number, columns: number}} Step forward in the text */

const STEP = fc.record({
  lines: fc.constantFrom(0, 0, 1, 200),
  columns: fc.integer({ min: 1, max: 300 }),
});

const TREES = fc.letrec((tie) => ({
  trees: fc.array(tie('tree'), { maxLength: 4, depthIdentifier: 'nesting' }),
  tree: fc.record({
    before: STEP,
    head: fc.option(STEP),
    key: fc.oneof({ depthIdentifier: 'nesting', maxDepth: 2 }, fc.constant([]), tie('trees')),
    after: STEP,
    name: functionName,
    flags: fc.constantFrom(0, 1, 1, 1, 3, 5, 9, 17),
    origin: ORIGIN,
    inner: fc.oneof({ depthIdentifier: 'nesting', maxDepth: 4 }, fc.constant([]), tie('trees')),
  }),
})).trees;

/** Functions in functions, as a script has them, in the order of their starts. */
export const tableFunctions = TREES.map((trees) => {
  /** @type {TableFunction[]} */
  const functions = [];
  let line = 1;
  let column = 1;
  layOut(/** @type {Tree[]} */ (trees));
  return functions;

  /** @param {Tree[]} trees */
  function layOut(trees) {
    for (const { before, head, key, after, name, flags, origin, inner } of trees) {
      advance(before);
      const start = { startLine: line, startColumn: column };
      const fn = { ...start, line, column, endLine: 0, endColumn: 0, name, flags, origin };
      functions.push(fn);
      if (head) {
        layOut(key);
        advance(head);
      }
      Object.assign(fn, { line, column });
      layOut(inner);
      advance(after);
      [fn.endLine, fn.endColumn] = [line, column];
    }
  }

  /** @param {Step} step */
  function advance({ lines, columns }) {
    line += lines;
    column = lines === 0 ? column + columns : columns;
  }
});

/**
 * @param {TableFunction[]} functions by their start
 * @param {number} line @param {number} column @param {boolean} [isStart] of a function
 * @returns {TableFunction | undefined} the innermost one that has the position after its definition, or after its start
 */
export function innermostAt(functions, line, column, isStart = false) {
  return functions.findLast((fn) => {
    const [firstLine, firstColumn] = isStart ? [fn.startLine, fn.startColumn] : [fn.line, fn.column];
    return (
      (firstLine < line || (firstLine === line && firstColumn <= column)) &&
      (line < fn.endLine || (line === fn.endLine && column < fn.endColumn))
    );
  });
}
