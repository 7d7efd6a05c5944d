/** What a user does. It gets the page, of Playwright, Puppeteer or WebDriver, which shows the address by then. */
export default async (page) => {
  await page.click('button');
  console.log('found', await page.evaluate(() => document.querySelector('output').textContent));
};
