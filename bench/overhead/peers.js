import { join } from 'node:path';
// @ts-expect-error It has no types of its own.
import { createInstrumenter } from 'istanbul-lib-instrument';
import { outFolder } from '../lib/folders.js';
import { entryChecks } from '../rewritten/entry_check.js';
import { rewritten } from '../rewritten/rewritten_workload.js';

/** @import { Plain, Variant } from './variants.js' */

const OUT = outFolder('overhead');

/** Other ways to profile, and istanbul, which is put into code as ours is. @param {Plain} plain @returns {Promise<Variant[]>} */
export async function peers({ page, intervalMs }) {
  const entry = await rewritten(page.folder, join(OUT, 'entry'), entryChecks);
  const istanbul = await rewritten(page.folder, join(OUT, 'istanbul'), (code, file) =>
    createInstrumenter({ esModules: false, compact: true, produceSourceMap: false }).instrumentSync(
      code,
      file,
    ),
  );
  return [
    { ...page, name: 'entry check only, off', folder: entry },
    { ...page, name: `entry check only, ${intervalMs} ms`, folder: entry, query: `entry=${intervalMs}` },
    { ...page, name: 'istanbul', folder: istanbul },
    { ...page, name: 'native, header alone', jsProfiling: true, engines: ['chromium'] },
    {
      ...page,
      name: `native, ${intervalMs} ms`,
      query: `interval=${intervalMs}&native`,
      jsProfiling: true,
      engines: ['chromium'],
    },
    {
      ...page,
      name: `Firefox Profiler, ${intervalMs} ms`,
      engines: ['firefox'],
      env: {
        MOZ_PROFILER_STARTUP: '1',
        MOZ_PROFILER_STARTUP_INTERVAL: String(intervalMs),
        MOZ_PROFILER_STARTUP_FEATURES: 'js,stackwalk',
      },
    },
    {
      ...page,
      name: `JSC sampling profiler, ${intervalMs} ms`,
      engines: ['webkit'],
      env: { JSC_useSamplingProfiler: '1', JSC_sampleInterval: String(1000 * intervalMs) },
    },
  ];
}
