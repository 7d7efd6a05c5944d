import { expect, test } from '@playwright/test';
import { callTree } from 'polyprof/report';
import { profile } from 'polyprof/testing';
import { serveSite } from '../serve_site.mjs';

let site;
test.beforeAll(async () => {
  site = await serveSite();
});
test.afterAll(() => site?.close());

test('counting primes is what the time goes to', async ({ page }, testInfo) => {
  const trace = await profile(
    page,
    async () => {
      await page.goto(site.url);
      await page.getByRole('button').click();
      await expect(page.locator('output')).toHaveText('216816');
    },
    { testInfo, minWeight: 0 },
  );

  const [hottest] = callTree(trace).functions;
  expect(hottest.location.name).toBe('isPrime');
});
