import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordPoints } from './lib/record_points.js';

/** What has to happen, in order: work in f (`f`), checks as they are met (`+f` enter, `-f` leave or suspend, `>f` resume). */
const PROGRAMS = {
  'a call': [`function f() { w('f') } w('top'); f(); w('top')`, '+top top +f f -f top -top'],
  'a call in a return': [
    `function f() { w('f'); return g() } function g() { w('g'); return 1 } f()`,
    '+top +f f +g g -g -f -top',
  ],
  'empty functions': ['function f() {} const g = () => {}; g(); f()', '+top +g -g +f -f -top'],
  'a branch that returns': [
    `function f(x) { if (x) { w('f'); return } w('f') } f(1); f(0)`,
    '+top +f f -f +f f -f -top',
  ],
  'a concise arrow': [`const f = () => w('f'); f()`, '+top +f f -f -top'],
  'a concise arrow of something that is there': ['const f = (x) => x; f(1)', '+top +f -top'],
  recursion: [`function f(n) { w('f'); if (n) f(n - 1); w('f') } f(1)`, '+top +f f +f f f -f f -f -top'],
  'a throw that the caller catches': [
    `function f() { w('f'); throw 1 } function g() { try { f() } catch { w('g') } } g()`,
    '+top +g +f f -f g -g -top',
  ],
  'a throw that the function catches itself is no leave': [
    `function f() { try { throw w('f') } catch { w('f') } } f()`,
    '+top +f f f -f -top',
  ],
  'finally runs after the value and before the leave': [
    `function f() { try { return w('f') } finally { w('f') } } f()`,
    '+top +f f f -f -top',
  ],
  'finally that returns': [
    `function f() { try { return w('f') } finally { return g() } } function g() { w('g') } f()`,
    '+top +f f +g g -g -f -top',
  ],
  'parameters are work of the caller until the body': [
    `function f(x = w('top')) { w('f') } f()`,
    '+top top +f f -f -top',
  ],
  'a constructor and the one above it': [
    `class A { constructor() { w('A') } } class B extends A { constructor() { w('B'); super(); w('B') } } new B()`,
    '+top +B B +A A -A B -B -top',
  ],
  'fields of a class are work of the caller, who is all that was checked by then': [
    `class A { x = w('top'); constructor() { w('A') } } new A()`,
    '+top top +A A -A -top',
  ],
  'fields of a derived class are work of its constructor': [
    `class A { constructor() { w('A') } } class B extends A { x = w('B'); constructor() { super() } } new B()`,
    '+top +B +A A -A B -B -top',
  ],
  'static blocks are work of the function around the class': [
    `function f() { class A { static { w('f') } static x = w('f') } } f()`,
    '+top +f f f -f -top',
  ],
  'an exception from elsewhere is work of who catches it': [
    `function f() { null.x } function g() { try { f() } catch {} w('g') } g()`,
    '+top +g +f g -g -top',
  ],
  'a generator': [
    `function* g() { w('g'); yield w('g'); w('g') } const i = g(); i.next(); w('top'); i.next()`,
    '+top +g g g -g top >g g -g -top',
  ],
  'a generator that is told to return': [
    `function* g() { try { yield } finally { w('g') } } const i = g(); i.next(); w('top'); i.return()`,
    '+top +g -g top >g g -g -top',
  ],
  'a generator that is thrown into': [
    `function* g() { try { yield } catch { w('g') } } const i = g(); i.next(); w('top'); i.throw(1)`,
    '+top +g -g top >g g -g -top',
  ],
  'delegation: the outer generator does not run while the inner one does': [
    `function* o() { w('o'); yield* i(); w('o') } function* i() { w('i'); yield; w('i') } ` +
      `const g = o(); g.next(); w('top'); g.next()`,
    // The outer one is suspended from `yield*` on.
    '+top +o o -o +i i -i top >i i -i >o o -o -top',
  ],
  'an async function': [
    `async function f() { w('f'); await g(); w('f') } function g() { w('g') } f(); w('top')`,
    '+top +f f +g g -g -f top -top >f f -f',
  ],
  'an await that rejects, in a try': [
    `async function f() { try { await Promise.reject(1) } catch { w('f') } } f()`,
    '+top +f -f -top >f f -f',
  ],
  'an await that rejects, in a try with finally': [
    `async function f() { try { await Promise.reject(1) } catch { w('f') } finally { w('f') } } f()`,
    '+top +f -f -top >f f f -f',
  ],
  'two async functions take turns': [
    `async function f() { w('f'); await 0; w('f') } async function g() { w('g'); await f(); w('g') } f(); g()`,
    '+top +f f -f +g g +f f -f -g -top >f f -f >f f -f >g g -g',
  ],
  'for await over an empty body': [
    `async function f() { for await (const x of [1]) {} w('f') } f()`,
    '+top +f -f -top >f -f >f f -f',
  ],
  'for await': [
    `async function f() { for await (const x of [1, 2]) w('f'); w('f') } f()`,
    '+top +f -f -top >f f -f >f f -f >f f -f',
  ],
  'for await that is left early': [
    `async function* s() { try { yield 1; yield 2 } finally { w('s') } } ` +
      `async function f() { for await (const x of s()) { w('f'); break } w('f') } f()`,
    '+top +f -f +s -s -top >f f -f >s s -s >f f -f',
  ],
  'for await that is left early, in a try whose finally does not run for that': [
    `async function f() { try { for await (const x of [1]) break; w('f') } finally { w('f') } } f()`,
    '+top +f -f -top >f -f >f f f -f',
  ],
  'for await that returns': [
    `async function* s() { try { yield 1 } finally { w('s') } } ` +
      `async function f() { for await (const x of s()) { w('f'); return g() } } function g() { w('g') } f()`,
    '+top +f -f +s -s -top >f f +g g -g -f >s s -s',
  ],
  'a jump out of for await that lands on an outer loop': [
    `async function* s(n) { try { yield n } finally { w('s') } } async function f() { ` +
      `outer: for (const i of [1, 2]) { for await (const x of s(i)) { w('f'); continue outer } } w('f') } f()`,
    '+top +f -f +s -s -top >f f -f >s s -s >f -f +s -s >f f -f >s s -s >f f -f',
  ],
  'a jump out of for await through a finally': [
    `async function* s() { try { yield 1 } finally { w('s') } } async function f() { ` +
      `for await (const x of s()) try { break } finally { w('f') } w('f') } f()`,
    '+top +f -f +s -s -top >f -f >f f -f >s s -s >f f -f',
  ],
  'await in finally after a return': [
    `async function f() { try { return w('f') } finally { await 0; w('f') } } f()`,
    '+top +f f -f -top >f f -f',
  ],
  'a return in an async generator waits': [
    `async function* g() { try { return w('g') } finally { w('g') } } g().next()`,
    '+top +g g -g -top >g g -g',
  ],
  'async delegation': [
    `async function* o() { w('o'); yield* i(); w('o') } async function* i() { w('i'); yield } ` +
      `const g = o(); g.next().then(function again() { g.next() })`,
    '+top +o o -o +i i -i -top +again >i -i -again >o o -o',
  ],
  'top-level work without functions': [`w('top')`, '+top top -top'],
};

for (const [title, [code, expected]] of Object.entries(PROGRAMS)) {
  test(`checks stand where functions start and stop running: ${title}`, async () => {
    for (const quiet of [false, true]) {
      const { events, charges, unseen, loud } = await recordPoints(code, quiet);
      assert.equal(events.map(symbol).join(' '), expected);
      assert.deepEqual(unseen, []);
      for (const { charged, worked } of charges) assert.deepEqual(new Set(worked), new Set([charged]));
      if (quiet) assert.deepEqual(loud, []);
    }
  });
}

/** @param {string} event */
function symbol(event) {
  return event.replace(/^e /, '+').replace(/^l /, '-').replace(/^r /, '>').replace(/^w /, '');
}
