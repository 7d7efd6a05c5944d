import { existsSync } from 'node:fs';

/**
 * The browser that came with a Playwright or Puppeteer.
 * @param {any} module of it
 * @param {'chromium' | 'firefox'} browser
 * @returns {Promise<string | undefined>} path; undefined: it has none
 */
export async function ownProgram(module, browser) {
  try {
    const path = module.chromium ? module[browser].executablePath() : await ofPuppeteer(module, browser);
    return existsSync(path) ? path : undefined;
  } catch {
    // puppeteer-core comes with none.
    return undefined;
  }
}

/** @param {any} puppeteer @param {'chromium' | 'firefox'} browser @returns {Promise<string>} */
async function ofPuppeteer(puppeteer, browser) {
  try {
    // A string would be a channel of the Chrome that is installed here. A promise since Puppeteer 25.
    return await puppeteer.executablePath({ browser: browser === 'chromium' ? 'chrome' : browser });
  } catch (error) {
    // Older ones know no options here.
    if (browser !== 'chromium') throw error;
    return puppeteer.executablePath();
  }
}
