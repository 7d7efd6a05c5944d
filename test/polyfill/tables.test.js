import assert from 'node:assert/strict';
import test from 'node:test';
import { Tables } from '../../polyfill/sampling/tables.js';
import { settings } from '../../polyfill/settings.js';
import { replace } from '../lib/replaced.js';

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

test('of a thousand tables a dozen have all read anew that waits for them, the last one too', async (t) => {
  replace(settings, { unknown: 'show' }, (putBack) => t.after(putBack));
  let [scripts, loaded] = [0, 0];
  const core = /** @type {any} */ ({
    registerScript: () => scripts++,
    scriptUrl: () => 'http://127.0.0.1/app.js',
    loadTable: () => loaded++,
  });
  const here = () => new Error('').stack;
  const hook = /** @type {any} */ ({ s: Array.from({ length: 1000 }, (_, id) => [id, 'data:,', here]) });
  /** @type {number[]} */
  const changes = [];
  const tables = new Tables(
    hook,
    core,
    () => changes.push(loaded),
    () => {},
  );
  await tables.settled();
  tables.stop();
  assert.equal(changes.at(-1), 1000);
  assert.ok(changes.length <= 12, String(changes));
});
