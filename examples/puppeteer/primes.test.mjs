import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callTree } from 'polyprof/report';
import { profile } from 'polyprof/testing';
import puppeteer from 'puppeteer-core';
import { serveSite } from '../playwright/serve_site.mjs';

const { BROWSER: browser = 'chrome', BROWSER_PATH: executablePath = '/usr/bin/chromium' } = process.env;

test('counting primes is what the time goes to', async (t) => {
  const site = await serveSite();
  t.after(() => site.close());
  const running = await puppeteer.launch({
    browser,
    executablePath,
    args: browser === 'chrome' ? ['--no-sandbox'] : [],
  });
  t.after(() => running.close());
  const page = await running.newPage();
  const trace = await profile(
    page,
    async () => {
      await page.goto(site.url);
      await page.click('button');
      assert.equal(await page.$eval('output', (output) => output.textContent), '216816');
    },
    { outDir: 'test-results', name: `primes-${browser}`, minWeight: 0 },
  );

  assert.equal(callTree(trace).functions[0].location.name, 'isPrime');
});
