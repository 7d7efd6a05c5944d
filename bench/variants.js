import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildWorkload } from '../examples/workloads/build.js';

/**
 * @typedef {object} Variant of a workload's page
 * @property {string} name
 * @property {string} folder to serve
 * @property {string} query of the page's address
 * @property {boolean} jsProfiling whether the browser's own profiler is allowed
 * @property {readonly string[]} [engines] that can run it; all without
 */

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const CLI = join(ROOT, 'instrumenter/cli.js');

/** The yardstick, and the same once more: what differs between these two is noise. */
export const BASELINE = 'plain';
export const CONTROL = 'plain again';

/**
 * Builds a workload and its instrumented form.
 * @param {string} workload
 * @param {number} intervalMs between samples, of the variants that profile
 * @returns {Promise<Variant[]>}
 */
export async function variantsOf(workload, intervalMs) {
  const out = join(ROOT, 'out/bench');
  mkdirSync(out, { recursive: true });
  const plain = await buildWorkload(workload, join(out, 'plain'));
  const instrumented = join(out, 'instrumented', workload);
  execFileSync(process.execPath, [CLI, 'instrument', plain, '-o', instrumented], { stdio: 'pipe' });
  const variant = { folder: plain, query: '', jsProfiling: false };
  const interval = `?interval=${intervalMs}`;
  return [
    { ...variant, name: BASELINE },
    { ...variant, name: CONTROL },
    { ...variant, name: 'instrumented, not profiled', folder: instrumented },
    { ...variant, name: `instrumented, profiled at ${intervalMs} ms`, folder: instrumented, query: interval },
    {
      ...variant,
      name: `plain, native Profiler at ${intervalMs} ms`,
      query: `${interval}&native`,
      jsProfiling: true,
      engines: ['chromium'],
    },
  ];
}
