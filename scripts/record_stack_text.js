import { writeFileSync } from 'node:fs';
import { launch, selectedEngines } from '../web-test/lib/browsers.js';
import { serve } from '../web-test/lib/server.js';

/**
 * Writes what `Error().stack` says in each engine to web-test/fixtures/stack_text/<engine>.txt: inputs for the tests of the
 * parser of stack texts. Run it by hand when an engine changed its format, and read the difference.
 *
 * A file has one block per case: a line `=== <case>`, then the text as it is, the server's address replaced by a fixed one.
 */

const FOLDER = new URL('../web-test/fixtures/stack_text/', import.meta.url);
const ORIGIN = 'http://127.0.0.1:8000';

for (const engine of selectedEngines()) {
  const browser = await launch(engine);
  const server = await serve({ folders: { '/': new URL('site/', FOLDER).pathname } });
  try {
    const page = await browser.open(server.url('/index.html'));
    /** @type {Record<string, string>} */
    const texts = await page.evaluate('recorded');
    const blocks = Object.entries(texts).map(([name, text]) => `=== ${name}\n${text.replace(/\n$/, '')}\n`);
    writeFileSync(new URL(`${engine}.txt`, FOLDER), blocks.join('').replaceAll(server.origin, ORIGIN));
    console.log(`${engine} ${browser.version}: ${blocks.length} texts`);
  } finally {
    await server.close();
    await browser.close();
  }
}
