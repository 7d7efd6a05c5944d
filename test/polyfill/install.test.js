import assert from 'node:assert/strict';
import { test } from 'node:test';
import { install } from '../../polyfill/interface/install.js';
import { settings } from '../../polyfill/settings.js';

test('install() changes the options that it is given, and no other', () => {
  const before = { ...settings };
  install({ policy: 'deny', idleFrame: true, force: true });
  assert.deepEqual(settings, { ...before, policy: 'deny', idleFrame: true, force: true });
  install({ jitter: false, idleFrame: undefined });
  assert.deepEqual(settings, { ...before, policy: 'deny', idleFrame: true, force: true, jitter: false });
  assert.throws(() => install({ worker: false, policy: /** @type {any} */ (null) }), TypeError);
  assert.equal(settings.worker, before.worker, 'what it refuses changes nothing');
  install({ policy: 'self' });
  assert.equal(settings.policy, 'self');
});
