import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FORMATS } from '../../report/formats/formats.js';
import { CLI } from '../lib/folders.js';
import { count, readOptions } from '../lib/options.js';
import { randomTraces } from './random_traces.js';

/**
 * How fast traces are merged, and in how much memory. They are written to a temporary folder first, 25 kB each on average, as pages would send
 * them.
 */

/** 25 kB. */
const SAMPLES = 400;

const { traces } = readOptions('How fast traces are merged, and in how much memory.', {
  traces: count('of 25 kB', 10_000),
});
const randomTrace = randomTraces(SAMPLES);

const folder = mkdtempSync(join(tmpdir(), 'polyprof-merge-'));
try {
  let bytes = 0;
  for (let i = 0; i < traces; i++) {
    const text = JSON.stringify(randomTrace());
    bytes += text.length;
    writeFileSync(join(folder, `${i}.json`), text);
  }
  console.log(`${traces} traces of ${(bytes / traces / 1000).toFixed(1)} kB on average`);
  const outputs = FORMATS.map(({ extensions }) => `merged${extensions[0]}`);
  for (const output of [...outputs, 'merged.folded.gz']) {
    const start = performance.now();
    const args = ['report', folder, '--merge', '-o', join(folder, output)];
    const code = `process.argv.push(...${JSON.stringify(args)}); await import(${JSON.stringify(CLI)}); console.log(process.resourceUsage().maxRSS)`;
    const { stdout, stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(stderr);
    const seconds = (performance.now() - start) / 1000;
    console.log(
      `${output.padEnd(24)} ${seconds.toFixed(1).padStart(5)} s  ${Math.round(traces / seconds)} traces/s  ${Math.round((Number(stdout) * 1024) / 1e6)} MB at most`,
    );
  }
} finally {
  rmSync(folder, { recursive: true });
}
