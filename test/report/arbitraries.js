import fc from 'fast-check';
import { traceOf } from './traces.js';

/** Few names, so that recursion and common callers come up; some that a file format could stumble over. */
const name = fc.constantFrom(
  'a',
  'b',
  'c',
  'with space',
  'get x',
  '12',
  '#private',
  'Ünïcode',
  'f@a.js:1:2',
  'f@b.js:1:2',
  '@a.js:9:9',
);

/** Traces as our core makes them, with idle samples. */
export const traceArbitrary = fc
  .array(fc.array(name, { maxLength: 6 }), { maxLength: 40 })
  .map((paths) => traceOf(paths.map((path) => path.join(';'))));
