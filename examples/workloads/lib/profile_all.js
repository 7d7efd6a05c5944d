import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { callTree } from '../../../report/traces/call_tree.js';
import { checkTrace } from '../../../report/reading/check_trace.js';
import { symbolsIn } from '../../../report/symbols/symbol_files.js';
import { symbolicate } from '../../../report/symbols/symbolicate.js';
import { formatTable } from '../../../report/terminal/table.js';
import { terminal } from '../../../report/terminal/terminal.js';
import { launch } from '../../../web-test/lib/browsers.js';
import { serve } from '../../../web-test/lib/server.js';
import { buildWorkload } from '../build.js';
import { instrumentWorkload } from './instrument.js';
import { profileWorkload } from './profile_workload.js';
import { withProgress } from './progress.js';
import { formatEnd, formatHeading } from './texts.js';
import { writeOutcome } from './write_outcome.js';

/** @import { Browser } from '../../../web-test/lib/browsers.js' */
/** @import { Options } from './options.js' */

const DIST = fileURLToPath(new URL('../../../dist/', import.meta.url));

/** @param {Options} options @returns {Promise<void>} when all is shown and written, and the browser is gone */
export async function profileAll({ browser: browserName, interval, out, only, scale, top }) {
  const instrumented = await prepare(only, join(out, 'workloads'));
  const server = await serve({ folders: { '/': instrumented, '/dist/': DIST } });
  /** @type {Browser | undefined} */
  let browser;
  /** @type {string[]} */
  const files = [];
  try {
    browser = await withProgress(`starting ${browserName}`, () => launch(browserName));
    for (const name of only) {
      const running = /** @type {Browser} */ (browser);
      const outcome = await withProgress(`profiling ${name} in ${browserName}`, () =>
        profileWorkload(running, server, name, { intervalMs: interval, scale }),
      );
      checkTrace(outcome.trace, name);
      const trace = symbolicate(outcome.trace, symbolsIn(join(instrumented, name)));
      files.push(writeOutcome(out, outcome, trace));
      const { width, color } = terminal(process.stdout);
      const { losses } = outcome;
      process.stdout.write(formatHeading(outcome, running, color));
      process.stdout.write(`${formatTable(callTree(trace), { width, color, rows: top, losses })}\n`);
    }
  } finally {
    await browser?.close();
    await server.close();
  }
  process.stdout.write(formatEnd(out, files, instrumented));
}

/** @param {string[]} names @param {string} folder @returns {Promise<string>} where the instrumented ones are */
async function prepare(names, folder) {
  const instrumented = join(folder, 'instrumented');
  mkdirSync(instrumented, { recursive: true });
  for (const name of names) {
    const plain = await withProgress(`bundling ${name}`, () => buildWorkload(name, join(folder, 'plain')));
    await withProgress(`instrumenting ${name}`, () => instrumentWorkload(plain, instrumented));
  }
  return instrumented;
}
