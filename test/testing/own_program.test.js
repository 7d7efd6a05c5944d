import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { test } from 'node:test';
import puppeteerCore from 'puppeteer-core';
import { PuppeteerNode } from 'puppeteer-core/internal/node/PuppeteerNode.js';
import { ownProgram } from '../../testing/run/own_program.js';
import { temporaryFolder } from '../../web-test/lib/children.js';

for (const [browser, inPuppeteer] of /** @type {const} */ ([
  ['chromium', 'chrome'],
  ['firefox', 'firefox'],
])) {
  test(`the ${browser} that came with Puppeteer is found once it is there, and puppeteer-core has none`, async (t) => {
    const { path: cacheDirectory, release } = temporaryFolder();
    t.after(release);
    // As the package `puppeteer` makes it.
    const puppeteer = new PuppeteerNode({ isPuppeteerCore: false, configuration: { cacheDirectory } });
    assert.equal(await ownProgram(puppeteer, browser), undefined);
    const program = puppeteer.executablePath({ browser: inPuppeteer });
    mkdirSync(dirname(program), { recursive: true });
    writeFileSync(program, '');
    assert.equal(await ownProgram(puppeteer, browser), program);
    assert.equal(await ownProgram(puppeteerCore, browser), undefined);
  });
}
