import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { instrument } from '../../instrumenter/instrument.js';
import { REWRITTEN_PROBES } from '../rewritten/rewritten_probes.js';
import { FORMS, formCode } from './probe_form.js';

/** @param {string} code @returns {any} the global object of a realm that ran it */
function realmOf(code) {
  const realm = { SharedArrayBuffer, Int8Array, Int32Array };
  runInNewContext(code, realm);
  return realm;
}

test('functions with each form of probes compute the same', () => {
  const results = (/** @type {any} */ form) => {
    const { __loops } = realmOf(formCode(form));
    return Object.entries(__loops).map(([name, work]) => [name, work(2000)]);
  };
  const [plain, ...others] = Object.values(FORMS);
  for (const form of others) assert.deepEqual(results(form), results(plain));
});

test('probes that are rewritten are others, and compute the same', () => {
  const code =
    'function sum(n) { let s = 0; for (let i = 1; i <= n; i++) s += i; return s + one(); } function one() { return 1 } var result = sum(10);';
  for (const [name, { probe, rewrite }] of Object.entries(REWRITTEN_PROBES)) {
    const ours = instrument(code, { probe, minWeight: 0, file: 'sum.js', sourceMap: false }).code;
    const other = rewrite(ours);
    assert.notEqual(other, ours, name);
    assert.doesNotMatch(other, /undefined|\$\d/, name);
    assert.equal(realmOf(other).result, 56, name);
  }
});
