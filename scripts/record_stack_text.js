import { writeFileSync } from 'node:fs';
import { launch, selectedEngines } from '../web-test/lib/browsers.js';
import { serve } from '../web-test/lib/server.js';

/**
 * Writes what the polyfill reads of errors' stacks in each engine to web-test/fixtures/stack_text/<engine>.txt: inputs for the tests of the
 * parser of stack texts. Run it by hand when an engine changed its format, and read the difference.
 *
 * A file has one block per case: a line `=== <case>`, then the text as it is, the server's address replaced by a fixed one.
 */

const FOLDER = new URL('../web-test/fixtures/stack_text/', import.meta.url);
const CAPTURE = new URL('../polyfill/capture/', import.meta.url);
const ORIGIN = 'http://127.0.0.1:8000';

/** What the site has recorded, as the polyfill reads it. */
const TEXTS = `Promise.all([import('/capture/stack_text.js'), recorded]).then(([{ textOf }, errors]) =>
  Object.fromEntries(Object.entries(errors).map(([name, error]) => [name, textOf(error)])))`;

for (const engine of selectedEngines()) {
  const browser = await launch(engine);
  const folders = { '/': new URL('site/', FOLDER).pathname, '/capture/': CAPTURE.pathname };
  const server = await serve({ folders });
  try {
    const page = await browser.open(server.url('/index.html'));
    /** @type {Record<string, string>} */
    const texts = await page.evaluate(TEXTS);
    const blocks = Object.entries(texts).map(([name, text]) => `=== ${name}\n${text.replace(/\n$/, '')}\n`);
    writeFileSync(new URL(`${engine}.txt`, FOLDER), blocks.join('').replaceAll(server.origin, ORIGIN));
    console.log(`${engine} ${browser.version}: ${blocks.length} texts`);
  } finally {
    await server.close();
    await browser.close();
  }
}
