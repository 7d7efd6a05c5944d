import { mkdirSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { styleText } from 'node:util';
import { callTree } from '../../report/call_tree.js';
import { checkTrace } from '../../report/check_trace.js';
import { symbolsIn } from '../../report/symbol_files.js';
import { symbolicate } from '../../report/symbolicate.js';
import { formatCount, formatTable } from '../../report/table.js';
import { terminal } from '../../report/terminal.js';
import { launch } from '../../web-test/lib/browsers.js';
import { serve } from '../../web-test/lib/server.js';
import { buildWorkload, WORKLOADS } from './build.js';
import { instrumentWorkload } from './lib/instrument.js';
import { parseOptions } from './lib/options.js';
import { profileWorkload } from './lib/profile_workload.js';
import { withProgress } from './lib/progress.js';
import { writeOutcome } from './lib/write_outcome.js';

/** @import { Browser } from '../../web-test/lib/browsers.js' */
/** @import { Options } from './lib/options.js' */
/** @import { Outcome } from './lib/profile_workload.js' */

/** `npm start`: bundles, instruments and profiles the workloads in a headless browser, and shows where their time went. */

const DIST = fileURLToPath(new URL('../../dist/', import.meta.url));

/** @param {Options} options */
async function main({ browser: browserName, interval, out: outName, only, top }) {
  const out = resolve(outName);
  const names = only ? [only] : WORKLOADS;
  const instrumented = join(out, 'workloads/instrumented');
  mkdirSync(instrumented, { recursive: true });
  for (const name of names) {
    const plain = await withProgress(`bundling ${name}`, () =>
      buildWorkload(name, join(out, 'workloads/plain')),
    );
    await withProgress(`instrumenting ${name}`, () => instrumentWorkload(plain, instrumented));
  }

  const server = await serve({ folders: { '/': instrumented, '/dist/': DIST } });
  /** @type {Browser | undefined} */
  let browser;
  const files = [];
  try {
    browser = await withProgress(`starting ${browserName}`, () => launch(browserName));
    for (const name of names) {
      const running = /** @type {Browser} */ (browser);
      const outcome = await withProgress(`profiling ${name} in ${browserName}`, () =>
        profileWorkload(running, server, name, { intervalMs: interval }),
      );
      checkTrace(outcome.trace, name);
      const trace = symbolicate(outcome.trace, symbolsIn(join(instrumented, name)));
      files.push(writeOutcome(out, outcome, trace));
      const { width, color } = terminal(process.stdout);
      process.stdout.write(heading(outcome, running, color));
      process.stdout.write(formatTable(callTree(trace), { width, color, rows: top }));
      process.stdout.write(`${lossLine(outcome.losses)}\n\n`);
    }
  } finally {
    await browser?.close();
    await server.close();
  }
  const shown = files.map((file) => relative('', file));
  console.log(`Traces: ${shown.join(' ')}`);
  console.log(`Open one in https://www.speedscope.app or with: npx speedscope ${shown[0]}`);
}

/** @param {Outcome} outcome @param {Browser} browser @param {boolean} color */
function heading({ name, ms, mode, sampleInterval, digest }, { name: engine, version }, color) {
  const title = color ? styleText(['bold', 'cyan'], name) : name;
  const facts = [
    `${formatCount(Math.round(ms))} ms in ${engine} ${version.split('.')[0]}`,
    `a sample per ${sampleInterval} ms (${mode})`,
    `output ${digest}`,
  ];
  return `${title}  ${facts.join(', ')}\n`;
}

/** @param {Record<string, number>} losses */
function lossLine(losses) {
  const lost = Object.entries(losses).filter(([, count]) => count > 0);
  return lost.length === 0
    ? 'nothing lost'
    : `losses: ${lost.map(([reason, count]) => `${reason} ${formatCount(count)}`).join(', ')}`;
}

const options = parseOptions(process.argv.slice(2));
if (typeof options === 'number') {
  process.exitCode = options;
} else {
  try {
    await main(options);
  } catch (error) {
    console.error(`error: ${/** @type {Error} */ (error).message}`);
    process.exitCode = 1;
  }
}
