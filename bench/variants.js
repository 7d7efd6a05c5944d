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
 * Builds a workload and its instrumented forms.
 * @param {string} workload
 * @param {number} intervalMs between samples, of the variants that profile
 * @returns {Promise<Variant[]>}
 */
export async function variantsOf(workload, intervalMs) {
  const out = join(ROOT, 'out/bench');
  mkdirSync(out, { recursive: true });
  const plain = await buildWorkload(workload, join(out, 'plain'));
  const variant = { folder: plain, query: '', jsProfiling: false };
  const interval = `?interval=${intervalMs}`;
  const probed = ['flag', 'shadow'].flatMap((probe) => {
    const folder = join(out, probe, workload);
    execFileSync(process.execPath, [CLI, 'instrument', plain, '-o', folder, '--probe', probe], {
      stdio: 'pipe',
    });
    return [
      { ...variant, name: `${probe} probes, not profiled`, folder },
      { ...variant, name: `${probe} probes, profiled at ${intervalMs} ms`, folder, query: interval },
    ];
  });
  return [
    { ...variant, name: BASELINE },
    { ...variant, name: CONTROL },
    ...probed,
    {
      ...variant,
      name: `plain, native Profiler at ${intervalMs} ms`,
      query: `${interval}&native`,
      jsProfiling: true,
      engines: ['chromium'],
    },
  ];
}
