import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseScript } from '../../instrumenter/syntax/parse.js';

/** Where it stops, and why. @type {[string, string][]} */
const WRONG = [
  ['with (a) { b() }\nfunction f() {\n  x y\n}', '3:4 Missing semicolon.'],
  ['var a = 010;\nlet b = ;', '2:9 Unexpected token'],
  ['import a from "a";\nwith (a) { b() }', "2:1 'with' in strict mode."],
  ['if (a) return;\nawait b;\nlet c = ;', '3:9 Unexpected token'],
  [
    'let x: number = 1',
    '1:6 Missing semicolon. If this is TypeScript, instrument what the compiler makes of it.',
  ],
  ['type A = 1;', '1:5 Missing semicolon. If this is TypeScript, instrument what the compiler makes of it.'],
  [
    'let x: A = <b>c</b>',
    '1:6 Missing semicolon. If this is TypeScript, instrument what the compiler makes of it.',
  ],
  ["with (a) {}\nimport 'x';", "1:1 'with' in strict mode."],
  ['<!-- hi\nimport.meta.url', '1:1 Unexpected token'],
  ['let x = <b>c</b>', '1:9 this is JSX or Flow or TypeScript: instrument what the compiler makes of it'],
  ['a = do { 1 }', '1:5 this is experimental syntax, which browsers do not know: compile it first'],
  [
    'import a from "a" assert { type: "json" }',
    '1:19 The `assert` keyword in import attributes is deprecated and it has been replaced by the `with` keyword.',
  ],
];

for (const [code, expected] of WRONG) {
  test(`what is wrong in ${code.replaceAll('\n', ' ')} is told where it is`, () => {
    assert.throws(
      () => parseScript(code, { file: 'a.js', sourceType: 'unambiguous' }),
      (/** @type {any} */ { line, column, message }) => {
        assert.equal(`${line}:${column} ${message}`, expected);
        return true;
      },
    );
  });
}
