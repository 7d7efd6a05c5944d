import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { runInThisContext } from 'node:vm';
import { runInNode } from '../../examples/workloads/lib/node.js';

/** @import { Variant } from './variants.js' */

const SELF = fileURLToPath(import.meta.url);

/** @param {Variant} variant @returns {boolean} whether it differs from others without a browser: nobody samples it */
export function runsInNode({ query, jsProfiling, isolated = true, engines, env }) {
  return !query && !jsProfiling && isolated && !engines && !env;
}

/**
 * As `visit`, in a process of Node: V8 with nothing beside it, in which a page's script is loaded and run.
 * @param {Variant} variant
 * @param {{workload: string, scale: number}} work
 * @returns {Promise<{ms: number, digest: string, version: string}>}
 */
export async function visitInNode({ folder }, { workload, scale }) {
  const { stdout } = await promisify(execFile)(process.execPath, [SELF, folder, workload, String(scale)]);
  return JSON.parse(stdout);
}

if (process.argv[1] === SELF) {
  const [folder, workload, scale] = process.argv.slice(2);
  /** @type {any} */ (globalThis).__loadScript = (/** @type {string} */ src) => {
    const filename = join(folder, src);
    runInThisContext(readFileSync(filename.replace(/\?.*$/, ''), 'utf8'), { filename });
  };
  const start = performance.now();
  const digest = await runInNode(folder, workload, Number(scale));
  const ms = performance.now() - start;
  console.log(JSON.stringify({ ms, digest, version: process.version }));
}
