import assert from 'node:assert/strict';
import { test } from 'node:test';
import { progressBar } from '../../report/terminal/progress_bar.js';

/** @param {boolean} isTTY @returns {{stream: any, written: () => string}} */
function terminalOf(isTTY) {
  const parts = /** @type {string[]} */ ([]);
  return {
    stream: { isTTY, write: (/** @type {string} */ text) => parts.push(text) },
    written: () => parts.splice(0).join(''),
  };
}

test('a terminal shows how many of many files are done, and nothing is left of it', () => {
  const { stream, written } = terminalOf(true);
  const bar = progressBar(stream);
  bar.show(15, 30);
  assert.equal(written(), `\r${'█'.repeat(15)}${'░'.repeat(15)} 15 of 30 files\x1b[K`);
  bar.show(15, 30);
  assert.equal(written(), '');
  bar.clear();
  bar.clear();
  assert.equal(written(), '\r\x1b[K');
});

test('a few files, and what is no terminal, get none', () => {
  for (const [isTTY, files] of /** @type {const} */ ([
    [true, 3],
    [false, 1000],
  ])) {
    const { stream, written } = terminalOf(isTTY);
    const bar = progressBar(stream);
    bar.show(1, files);
    bar.clear();
    assert.equal(written(), '');
  }
});
