import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: 'tests',
  outputDir: 'test-results',
  reporter: 'list',
  use: {
    // Left out, it is the browser that `npx playwright install chromium` has brought.
    launchOptions: { executablePath: process.env.CHROME_PATH, chromiumSandbox: false },
  },
});
