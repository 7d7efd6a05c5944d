import assert from 'node:assert/strict';
import test from 'node:test';
import { Tables } from '../../polyfill/sampling/tables.js';

test('a script is asked for its own frame alone: to say where in a script the next one is, V8 reads all of it again', () => {
  /** @type {string[]} */
  const places = [];
  const core = /** @type {any} */ ({
    registerScript(/** @type {string} */ place) {
      places.push(place);
      return 0;
    },
    scriptUrl: () => '',
    failTable() {},
  });
  const here = () => new Error('').stack;
  const hook = /** @type {any} */ ({ s: [[1, 'early.ppft', here]] });
  const limit = Error.stackTraceLimit;
  const tables = new Tables(
    hook,
    core,
    () => {},
    () => {},
  );
  hook.s.push([2, 'late.ppft', here]);
  tables.stop();
  assert.equal(Error.stackTraceLimit, limit);
  assert.equal(places.length, 2);
  for (const place of places) {
    assert.match(place, /^here@file:.*tables\.test\.js:\d+:\d+\n$/);
  }
});
